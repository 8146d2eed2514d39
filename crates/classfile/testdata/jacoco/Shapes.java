package subject;

/** Conditionals, loops, switches, finally blocks, lambdas. */
class Shapes {
    private static final int LIMIT = Integer.parseInt("5");
    private final int size;
    private int count = 1;

    Shapes(int size) {
        this.size = size;
    }

    Shapes() {
        this.size = 0;
    }

    int loops(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            if (i == 2) continue;
            sum += i % 2 == 0 ? i : -i;
        }
        while (sum > 0 && count < LIMIT || size > 100) {
            sum--;
            count++;
        }
        do { sum++; } while (sum < 3);
        for (;;) {
            if (sum++ > 10) break;
        }
        return sum;
    }

    static String choose(int kind) {
        switch (kind) {
            case 1:
            case 2:
                return "small";
            case 3:
                break;
            case 100:
                kind++;
            default:
                kind--;
        }
        switch (kind) {
            case 7:
                return "seven";
            case 1000000:
                return "million";
        }
        return "other";
    }

    static int text(String word) {
        switch (word) {
            case "one":
                return 1;
            case "two":
                return 2;
            case "Aa":
            case "BB":
                return 3;
            default:
                return 0;
        }
    }

    static boolean same(int value) {
        boolean result = value > 0;
        if (value == 5) {}
        return !result;
    }

    void guarded(boolean fail) {
        try {
            count++;
            if (fail) throw new IllegalStateException("asked for");
            if (count > 1000) return;
            count += 2;
        } catch (UnsupportedOperationException unexpected) {
            count = 0;
        } finally {
            count--;
            if (count < 0) count = 1;
        }
    }

    Runnable lambdas() {
        Runnable first = () -> { if (count > 0) count++; };
        Runnable second = () -> count--;
        return size > 2 ? first : second;
    }

    int nested(int a, int b) {
        try {
            try {
                if (a < 0) return b;
            } finally {
                count++;
            }
        } finally {
            count += 2;
        }
        return a;
    }

    static void throwsInTheMiddle(String text) {
        try {
            int before = 1;
            int length = text.length(); int after = before + length;
            after++;
        } catch (NullPointerException expected) {
        }
    }
}
