package branches;

/** A second class, whose goals have the numbers after those of the first. */
public class Window {
    public static int look(int a) {
        return a > 6 ? 1 : 2;
    }
}
