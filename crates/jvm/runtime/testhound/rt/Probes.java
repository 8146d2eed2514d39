package testhound.rt;

/**
 * What rewritten classes call. The names and descriptors are the contract with the Rust side; see its `rewrite::runtime`.
 *
 * Nothing here is synchronised: threads of the subject may lose a count, and the arrays are checked against overflow.
 * The frequent methods are small enough to be inlined, and do the rare part in another method.
 */
public final class Probes {
    /** How many records of a kind are kept per test. */
    private static final int KEPT = 4096;
    /** Elements of new arrays that cost one tick. */
    private static final int ELEMENTS = 64;

    /** The test in which each place was hit last. */
    private static final int[] STAMPS = new int[Settings.places];
    /** Places that this worker has reported once. */
    static final boolean[] REPORTED = new boolean[Settings.places];
    /** The places that this test hit, in order of the first hit. */
    static final int[] HITS = new int[Settings.places];
    static int hits;
    /** Whether the test hit a place that this worker never reported. */
    static boolean fresh;

    private static int epoch;
    /** What is left of the budget; stays negative when it is used up. */
    static int budget;
    /** Ticks that are given slice by slice. */
    private static final int SLICE = 32;
    /** What is left for further slices, and whom the test waits for between two; nothing in most tests. */
    private static int reserve;
    private static Threads ahead;

    private static final int[] DIRTY_STAMPS = new int[Settings.resettable];
    static final int[] DIRTY = new int[Settings.resettable];
    static int dirty;

    private static final int[] SIDE_STAMPS = new int[Settings.edges];
    static final byte[] SIDE_COUNTS = new byte[Settings.edges];
    static final int[] SIDES = new int[Settings.edges];
    static int sides;

    static final int[] TRACE = new int[KEPT];
    static int traced;

    private static final int[] DISTANCE_STAMPS = new int[Settings.edges];
    static final double[] DISTANCES = new double[Settings.edges];
    static final int[] APPROACHED = new int[Settings.edges];
    static int approached;

    /** Values that were switched on, each after the first edge of its switch: the keys are known to the Rust side alone. */
    static final int[] SELECTED = new int[2 * KEPT];
    static int selected;

    /** The path registers. */
    public static final int[] PATH = new int[Settings.paths];
    static final int[] PATHS = new int[2 * KEPT];
    static int paths;

    private Probes() {}

    /** Begins a test. */
    static void begin(int ticks) {
        epoch++;
        hits = 0;
        fresh = false;
        dirty = 0;
        sides = 0;
        traced = 0;
        approached = 0;
        selected = 0;
        paths = 0;
        budget = ticks;
        reserve = 0;
    }

    /** Begins a test that is given its budget slice by slice, and lets other threads go ahead in between. */
    static void beginBehind(int ticks, Threads threads) {
        begin(ticks);
        budget = Math.min(SLICE, ticks);
        reserve = ticks - budget;
        ahead = threads;
    }

    public static void hit(int place) {
        if (STAMPS[place] != epoch) {
            first(place);
        }
    }

    private static void first(int place) {
        STAMPS[place] = epoch;
        int index = hits;
        if (index < HITS.length) {
            HITS[index] = place;
            hits = index + 1;
        }
        if (!REPORTED[place]) {
            fresh = true;
        }
    }

    public static void tick() {
        if (--budget < 0) {
            spent();
        }
    }

    private static void spent() {
        while (budget < 0 && budget > Integer.MIN_VALUE / 4 && reserve > 0) {
            int more = Math.min(SLICE, reserve);
            reserve -= more;
            budget += more;
        }
        if (budget < 0) {
            over();
        }
        ahead.letAhead();
    }

    /** Ends the test at its next tick; for the thread that watches it. */
    static void exhaust() {
        budget = Integer.MIN_VALUE / 2;
    }

    private static void over() {
        // Far from the other end, so that catching and going on never makes it positive again.
        budget = Integer.MIN_VALUE / 2;
        throw new OutOfBudget();
    }

    public static int array(int size) {
        if (size >= ELEMENTS) {
            pay(size);
        }
        return size;
    }

    /** Memory costs as time does, so that a test cannot fill the heap within its budget. */
    private static void pay(long elements) {
        if (elements > Settings.arrayLimit) {
            over();
        }
        if ((budget -= (int) (elements / ELEMENTS)) < 0) {
            spent();
        }
    }

    /** Puts a size before those that follow it. */
    public static int[] dimension(int size, int[] following) {
        int count = following == null ? 0 : following.length;
        int[] sizes = new int[count + 1];
        sizes[0] = size;
        if (count > 0) {
            System.arraycopy(following, 0, sizes, 1, count);
        }
        return sizes;
    }

    public static int[] arrays(int[] sizes) {
        long total = 1;
        for (int size : sizes) {
            total *= Math.max(size, 1);
            if (total > Settings.arrayLimit) {
                over();
            }
        }
        pay(total);
        return sizes;
    }

    public static void dirty(int type) {
        if (DIRTY_STAMPS[type] != epoch) {
            DIRTY_STAMPS[type] = epoch;
            if (dirty < DIRTY.length) {
                DIRTY[dirty++] = type;
            }
        }
    }

    public static void side(int edge) {
        if (SIDE_STAMPS[edge] == epoch) {
            SIDE_COUNTS[edge] = 2;
            return;
        }
        SIDE_STAMPS[edge] = epoch;
        SIDE_COUNTS[edge] = 1;
        if (sides < SIDES.length) {
            SIDES[sides++] = edge;
        }
    }

    public static void trace(int edge) {
        if (traced < KEPT) {
            TRACE[traced++] = edge;
        }
    }

    public static void path(int register) {
        if (paths < KEPT) {
            PATHS[2 * paths] = register;
            PATHS[2 * paths + 1] = PATH[register];
            paths++;
        }
        PATH[register] = 0;
    }

    public static void select(int value, int edge) {
        if (selected < KEPT) {
            SELECTED[2 * selected] = edge;
            SELECTED[2 * selected + 1] = value;
            selected++;
        }
    }

    public static void compareInts(int left, int right, int place) {
        compare((double) left - right, place);
    }

    public static void compareZero(int value, int place) {
        compare(value, place);
    }

    public static void compareNull(Object value, int place) {
        compare(value == null ? 0 : 1, place);
    }

    public static void compareSame(Object left, Object right, int place) {
        compare(left == right ? 0 : 1, place);
    }

    public static int lcmp(long left, long right, int place) {
        compare((double) left - (double) right, left == right, place);
        return left < right ? -1 : left == right ? 0 : 1;
    }

    public static int fcmpl(float left, float right, int place) {
        compare((double) left - right, left == right, place);
        return left > right ? 1 : left == right ? 0 : -1;
    }

    public static int fcmpg(float left, float right, int place) {
        compare((double) left - right, left == right, place);
        return left < right ? -1 : left == right ? 0 : 1;
    }

    public static int dcmpl(double left, double right, int place) {
        compare(left - right, left == right, place);
        return left > right ? 1 : left == right ? 0 : -1;
    }

    public static int dcmpg(double left, double right, int place) {
        compare(left - right, left == right, place);
        return left < right ? -1 : left == right ? 0 : 1;
    }

    private static void compare(double difference, int place) {
        compare(difference, difference == 0, place);
    }

    /** Large values may differ although their difference is 0, and the difference of others is no number. */
    private static void compare(double difference, boolean equal, int place) {
        double apart = equal ? 0 : Math.abs(difference) > 0 ? Math.abs(difference) : 1;
        double below = equal ? 0 : difference < 0 ? -apart : apart;
        double yes;
        double no;
        switch (place & 7) {
            case 0: // equal
                yes = apart;
                no = equal ? 1 : 0;
                break;
            case 1: // not equal
                yes = equal ? 1 : 0;
                no = apart;
                break;
            case 2: // less
                yes = below < 0 ? 0 : below + 1;
                no = below < 0 ? -below : 0;
                break;
            case 3: // greater or equal
                yes = below < 0 ? -below : 0;
                no = below < 0 ? 0 : below + 1;
                break;
            case 4: // greater
                yes = below > 0 ? 0 : 1 - below;
                no = below > 0 ? below : 0;
                break;
            default: // less or equal
                yes = below > 0 ? below : 0;
                no = below > 0 ? 0 : 1 - below;
                break;
        }
        int edge = place >>> 3;
        distance(edge, no);
        distance(edge + 1, yes);
    }

    private static void distance(int edge, double distance) {
        if (DISTANCE_STAMPS[edge] != epoch) {
            DISTANCE_STAMPS[edge] = epoch;
            DISTANCES[edge] = distance;
            if (approached < APPROACHED.length) {
                APPROACHED[approached++] = edge;
            }
        } else if (distance < DISTANCES[edge]) {
            DISTANCES[edge] = distance;
        }
    }
}
