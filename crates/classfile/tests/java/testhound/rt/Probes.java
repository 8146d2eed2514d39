package testhound.rt;

import java.util.TreeMap;

/** Probes that only count, to see that inserted code is reached and changes nothing. With `-Dquiet=true` they count in all. */
public final class Probes {
    public static final int[] PATH = new int[64];
    public static final TreeMap<String, Long> COUNTS = new TreeMap<>();

    private Probes() {}

    private static final boolean QUIET = Boolean.getBoolean("quiet");
    private static long all;

    private static void count(String what, int number) {
        if (QUIET) {
            all++;
        } else {
            count(what + number);
        }
    }

    private static synchronized void count(String what) {
        COUNTS.merge(what, 1L, Long::sum);
    }

    /** How many probes were reached, about; threads may count at once. */
    public static long all() {
        return all;
    }

    public static void hit(int number) {
        count("hit ", number);
    }

    public static void tick() {
        count("tick ", 0);
    }

    public static void side(int edge) {
        count("side ", edge);
    }

    public static void trace(int edge) {
        count("trace ", edge);
    }

    public static void compareInts(int left, int right, int code) {
        count("compare ", code >> 3);
    }

    public static void compareZero(int value, int code) {
        count("compare ", code >> 3);
    }

    public static void compareNull(Object value, int code) {
        count("compare ", code >> 3);
    }

    public static void compareSame(Object left, Object right, int code) {
        count("compare ", code >> 3);
    }

    public static void select(int value, int edge) {
        count("compare ", edge);
    }

    public static int lcmp(long left, long right, int code) {
        count("compare ", code >> 3);
        return Long.compare(left, right);
    }

    public static int fcmpl(float left, float right, int code) {
        count("compare ", code >> 3);
        return left > right ? 1 : left == right ? 0 : -1;
    }

    public static int fcmpg(float left, float right, int code) {
        count("compare ", code >> 3);
        return left < right ? -1 : left == right ? 0 : 1;
    }

    public static int dcmpl(double left, double right, int code) {
        count("compare ", code >> 3);
        return left > right ? 1 : left == right ? 0 : -1;
    }

    public static int dcmpg(double left, double right, int code) {
        count("compare ", code >> 3);
        return left < right ? -1 : left == right ? 0 : 1;
    }

    public static int array(int size) {
        count("array ", 0);
        return size;
    }

    public static int[] dimension(int size, int[] rest) {
        int[] sizes = new int[rest == null ? 1 : rest.length + 1];
        sizes[0] = size;
        if (rest != null) {
            System.arraycopy(rest, 0, sizes, 1, rest.length);
        }
        return sizes;
    }

    public static int[] arrays(int[] sizes) {
        count("arrays ", sizes.length);
        return sizes;
    }

    public static void dirty(int number) {
        count("dirty ", number);
    }

    public static void path(int register) {
        count("path " + register + " " + PATH[register]);
        PATH[register] = 0;
    }
}
