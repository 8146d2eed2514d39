/** Every arithmetic and bit operation. */
class Arithmetic {
    static int ints(int a, int b) {
        return -(a + b) * (a - b) / (a % b);
    }

    static long longs(long a, long b) {
        return -(a + b) * (a - b) / (a % b);
    }

    static float floats(float a, float b) {
        return -(a + b) * (a - b) / (a % b);
    }

    static double doubles(double a, double b) {
        return -(a + b) * (a - b) / (a % b);
    }

    static int bits(int a, int b) {
        return (a & b) ^ (a | b) << a >> b >>> a;
    }

    static long longBits(long a, long b) {
        return (a & b) ^ (a | b) << a >> b >>> a;
    }

    static int neutral(int a) {
        return a * 1 + (a << 0) - 0;
    }

    static int increments(int a) {
        a++;
        a--;
        a += 100;
        a += 1000;
        a -= 128;
        return a;
    }
}
