package orders;

/** State that outlives tests: whoever enters leaves it open. Suites have its methods in the order of their names. */
public class Door {
    private static boolean open;

    public static void approach() {
        open = false;
    }

    public static boolean beOpen() {
        return open;
    }

    public static boolean beShut() {
        return !open;
    }

    public static void close() {
        open = false;
    }

    public static void enter() {
        open = true;
    }
}
