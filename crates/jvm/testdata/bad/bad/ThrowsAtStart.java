package bad;

/** Its static initialiser throws. */
public class ThrowsAtStart {
    static int value = compute();

    private static int compute() {
        throw new IllegalStateException("not today");
    }

    public static int value() {
        return value;
    }
}
