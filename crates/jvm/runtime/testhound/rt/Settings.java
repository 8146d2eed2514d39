package testhound.rt;

/** Numbers that are known before {@link Probes} is initialised. */
final class Settings {
    /** Tests run through reflection; exists to measure what trampolines gain. */
    static boolean reflective;
    /** Whether `assert` statements of the subject are executed. */
    static boolean assertions;
    /** Ticks that a test may take. */
    static int ticks;
    /** Whether the time that tests take is told. */
    static boolean timed;
    /** Elements that an array may have. */
    static int arrayLimit;
    /** What the clock shows, in milliseconds. */
    static long clock;
    static int places;
    static int edges;
    static int paths;
    static int resettable;

    private Settings() {}
}
