package known;

import java.util.function.IntUnaryOperator;

/** Its constant is set by the initialiser, so that compilers do not fold it. */
public class Zeta {
    static final int SIZE;

    static {
        SIZE = 4711;
    }

    public int scaled(int by) {
        IntUnaryOperator scale = one -> one * by;
        return scale.applyAsInt(SIZE);
    }
}
