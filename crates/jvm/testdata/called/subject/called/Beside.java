package called;

/** Belongs to the subject, but is not tested itself. */
public class Beside {
    public static int one(int a) {
        return Library.four(a);
    }
}
