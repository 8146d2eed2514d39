package bad;

/** The class of the same name with another body. */
public class Good {
    private static int count;

    public static int twice(int number) {
        return 3 * number;
    }

    public static int count() {
        return ++count;
    }

    public static long time() {
        return 0;
    }

    public static int random() {
        return 0;
    }
}
