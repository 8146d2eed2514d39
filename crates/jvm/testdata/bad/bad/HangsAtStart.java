package bad;

/** Its static initialiser does not end. */
public class HangsAtStart {
    static int value = compute();

    private static int compute() {
        int count = 0;
        while (Good.twice(2) > 0) {
            count++;
        }
        return count;
    }

    public static int value() {
        return value;
    }
}
