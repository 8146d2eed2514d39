package known;

/** Counts in static state and in its own. */
public class Counter {
    private static int all;
    private int own;

    public int countAll() {
        return ++all;
    }

    public int countOwn() {
        return ++own;
    }

    public int countBoth() {
        return countAll() + countOwn();
    }

    public int look() {
        return all + own;
    }
}
