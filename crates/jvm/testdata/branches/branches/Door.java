package branches;

import java.util.function.IntSupplier;

/** Branches of its own, in private methods, in lambdas, and in methods that are called themselves. */
public class Door {
    public static int open(int a) {
        return a > 0 ? 1 : 2;
    }

    public static int guarded(int a) {
        return hidden(a) + 1;
    }

    public static int behind(int a) {
        return deeper(a) + 1;
    }

    public static int both(int a) {
        return a > 3 ? hidden(a) : open(a);
    }

    public static int later(int a) {
        IntSupplier answer = () -> a > 7 ? 1 : 2;
        return answer.getAsInt();
    }

    public static int plain(int a) {
        return a + 1;
    }

    private static int deeper(int a) {
        return a > 4 ? hidden(a) : 0;
    }

    private static int hidden(int a) {
        return a > 5 ? 1 : 2;
    }
}
