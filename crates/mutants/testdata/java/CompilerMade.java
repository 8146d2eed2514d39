import java.io.Reader;
import java.io.StringReader;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.logging.Logger;

/** Code that javac adds: none of it may have mutants, what was written must. */
class CompilerMade implements Comparable<CompilerMade> {
    static final Logger LOG = Logger.getLogger("x");
    static int counter = 5;

    enum Colour { RED, GREEN; int twice() { return ordinal() * 2; } }

    record Point(int x, int y) {
        int sum() {
            return x + y;
        }
    }

    class Inner {
    }

    static void asserted(int a) {
        assert a > 3 && a < 100 : "range";
    }

    static int eachOf(List<Integer> list, int[] array) {
        int sum = 0;
        for (Integer one : list) {
            sum += one;
        }
        for (int one : array) {
            sum += one;
        }
        return sum;
    }

    static int texts(String a) {
        switch (a) {
            case "Aa":
                return 7;
            case "BB":
                return 8;
            default:
                return 9;
        }
    }

    static int enums(TimeUnit a) {
        switch (a) {
            case DAYS:
                return 7;
            default:
                return 9;
        }
    }

    static int resources(String text) throws Exception {
        try (Reader reader = new StringReader(text)) {
            return reader.read();
        }
    }

    static Inner inner(CompilerMade a) {
        return a.new Inner();
    }

    static void logged(int a) {
        LOG.info("a" + (a + 1));
        counter = a;
    }

    IntSupplier lambda(int a) {
        return () -> a - 3;
    }

    @Override
    public int compareTo(CompilerMade other) {
        return 4;
    }
}
