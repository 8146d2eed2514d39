package called;

/** One line each, with nothing or much behind it. */
public class Facade {
    public static int alone(int a) {
        return a;
    }

    public static int four(int a) {
        return Library.four(a);
    }

    public static int six(int a) {
        return Library.six(a);
    }

    public static int beside(int a) {
        return Beside.one(a);
    }
}
