package bad;

/** Harmless: what runs between the others must not notice them. */
public class Good {
    private static int count;

    public static int twice(int number) {
        return 2 * number;
    }

    /** Gives 1 in every test if static state is reset. */
    public static int count() {
        return ++count;
    }

    public static long time() {
        return System.currentTimeMillis();
    }

    public static int random() {
        return new java.util.Random().nextInt();
    }
}
