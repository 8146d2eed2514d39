// Compiled to the class file beside it by javac 17: javac -g -parameters --release 17 Point.java
import java.util.function.IntUnaryOperator;

/** A record with a call site of each common kind. */
public record Point(int x, @Deprecated java.util.List<String> names) {
    static IntUnaryOperator adding(int n) {
        return m -> m + n;
    }

    String shown() {
        return "x=" + x + " names=" + names;
    }
}
