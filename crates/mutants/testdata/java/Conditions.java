/** Every conditional jump of the JVM. */
class Conditions {
    static int ints(int a, int b) {
        if (a < b) {
            return 11;
        }
        if (a <= b) {
            return 12;
        }
        if (a > b) {
            return 13;
        }
        if (a >= b) {
            return 14;
        }
        if (a == b) {
            return 15;
        }
        return a != b ? 16 : 17;
    }

    static int zeros(int a) {
        if (a < 0) {
            return 11;
        }
        if (a <= 0) {
            return 12;
        }
        if (a > 0) {
            return 13;
        }
        if (a >= 0) {
            return 14;
        }
        return a == 0 ? 15 : 16;
    }

    static boolean others(long a, double b, Object c, Object d) {
        return a < 7 && b >= 2.5 || c == d || c == null;
    }

    static int loop(int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += i;
        }
        do {
            sum -= 2;
        } while (sum > 100);
        return sum;
    }
}
