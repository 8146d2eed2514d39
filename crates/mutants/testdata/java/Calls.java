import java.util.List;

/** Calls with and without results, and constants. */
class Calls {
    int count;
    final List<String> names;

    Calls(List<String> names) {
        super();
        this.names = names;
        reset(3, 4L, 2.5, "start");
    }

    void reset(int a, long b, double c, String d) {
        count = a;
        names.clear();
    }

    static void report() {
        System.gc();
    }

    int size() {
        report();
        return names.size();
    }

    long sum(long a, double b) {
        long c = Math.max(a, 9L);
        return c + Math.round(b) + Long.parseLong("12", 10);
    }

    String joined(String a) {
        String text = names.get(0);
        names.remove(a);
        return text.concat("!") + a + count;
    }

    static int[] numbers() {
        return new int[] {0, 1, 70, 40000};
    }

    static double constants(int a) {
        float b = a + 1f;
        float c = b * 2f;
        double d = c * 1.0 + 7.25;
        long e = a + 1L + 0L + 123456789012L;
        return d + e + 127 + 32767 + Integer.MAX_VALUE + 1e300;
    }

    Integer boxes(int a) {
        Integer b = a;
        return b + count;
    }
}
