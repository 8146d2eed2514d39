import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntBinaryOperator;

/** A bit of everything that rewriting could break; prints what it computes. */
public class Sample {
    enum Colour {
        RED,
        GREEN,
        BLUE
    }

    interface Shape {
        double area();

        default String describe() {
            return area() > 10 ? "large" : "small";
        }
    }

    static class Square implements Shape {
        final double side;

        Square(double side) {
            this.side = side;
        }

        public double area() {
            return side * side;
        }
    }

    static class Offset extends Square {
        final String name;

        // Conditionals while the receiver is not initialised yet.
        Offset(Double side, String name) {
            super(side == null ? 0 : side > 5 ? 5 : side);
            this.name = name == null ? "none" : new String(name.isEmpty() ? "empty" : name);
        }
    }

    static int counter;
    static final List<String> LOG = new ArrayList<>();
    static final long LIMIT = 1L << 40;

    public static void main(String[] arguments) {
        LOG.add("start");
        ints();
        longs();
        floats();
        references();
        switches();
        loops();
        exceptions();
        arrays();
        objects();
        System.out.println(counter + " " + LOG);
        LOG.add("end");
    }

    static void ints() {
        int[] values = {Integer.MIN_VALUE, -1, 0, 1, 7, Integer.MAX_VALUE};
        StringBuilder out = new StringBuilder();
        for (int a : values) {
            out.append(a == 0 ? 'a' : 'b').append(a != 0).append(a < 0).append(a >= 0).append(a > 0).append(a <= 0);
            for (int b : values) {
                out.append(a == b).append(a != b).append(a < b).append(a >= b).append(a > b).append(a <= b);
            }
        }
        System.out.println(out.toString().hashCode());
    }

    static void longs() {
        long[] values = {Long.MIN_VALUE, -1, 0, 1, LIMIT, Long.MAX_VALUE};
        int sum = 0;
        for (long a : values) {
            for (long b : values) {
                sum = sum * 31 + (a == b ? 1 : 2) + (a < b ? 4 : 8) + (a >= b ? 16 : 32) + Long.compare(a, b);
            }
        }
        System.out.println(sum);
    }

    static void floats() {
        double[] values = {Double.NaN, Double.NEGATIVE_INFINITY, -0.0, 0.0, 1.5, Double.POSITIVE_INFINITY};
        int sum = 0;
        for (double a : values) {
            for (double b : values) {
                sum = sum * 31 + (a == b ? 1 : 2) + (a < b ? 4 : 8) + (a >= b ? 16 : 32) + (a > b ? 64 : 128);
                float c = (float) a;
                float d = (float) b;
                sum = sum * 31 + (c == d ? 1 : 2) + (c < d ? 4 : 8) + (c >= d ? 16 : 32) + (c != d ? 64 : 128);
                sum += !(a <= b) ? 3 : 5;
            }
        }
        System.out.println(sum);
    }

    static void references() {
        Object[] values = {null, "a", "b", values(1), values(2)};
        int sum = 0;
        for (Object a : values) {
            for (Object b : values) {
                sum = sum * 3 + (a == b ? 1 : 0) + (a == null ? 1 : 0) + (b != null ? 1 : 0);
            }
        }
        System.out.println(sum);
    }

    static Object values(int number) {
        return number == 1 ? Colour.RED : Collections.emptyList();
    }

    static void switches() {
        StringBuilder out = new StringBuilder();
        for (int value = -2; value < 12; value++) {
            switch (value) {
                case 1:
                case 2:
                    out.append("low");
                case 4:
                    out.append("four");
                    break;
                case 9:
                    break;
                default:
                    out.append('d');
            }
            switch (value * 1000) {
                case -1000:
                    out.append("minus");
                    break;
                case 11000:
                    out.append("last");
                    break;
            }
        }
        for (String text : new String[] {"one", "two", "Aa", "BB", ""}) {
            switch (text) {
                case "one":
                    out.append(1);
                    break;
                case "Aa":
                    out.append("A");
                    break;
                case "BB":
                    out.append("B");
                    break;
                default:
                    out.append("?");
            }
        }
        for (Colour colour : Colour.values()) {
            switch (colour) {
                case RED:
                    out.append("r");
                    break;
                case BLUE:
                    out.append("b");
                    break;
                default:
            }
        }
        System.out.println(out);
    }

    static int first(int value) {
        // The loop starts at the first instruction of the method.
        do {
            value--;
        } while (value > 3);
        return value;
    }

    static void loops() {
        int sum = first(20);
        outer:
        for (int i = 0; ; i++) {
            for (int j = 0; j < 5; j++) {
                if (i * j == 12) {
                    break outer;
                }
                if (j > i) {
                    continue outer;
                }
                sum += j;
            }
        }
        while (sum % 7 != 0) {
            sum++;
        }
        System.out.println(sum);
    }

    static int guarded(int value) {
        Object lock = LOG;
        int result = 0;
        try {
            synchronized (lock) {
                result = 10 / value;
                if (result > 4) {
                    throw new IllegalStateException("large");
                }
            }
        } catch (ArithmeticException error) {
            result = -1;
        } catch (IllegalStateException error) {
            return result * 100;
        } finally {
            counter += value > 0 ? 1 : 2;
        }
        return result;
    }

    static void exceptions() {
        StringBuilder out = new StringBuilder();
        for (int value = -1; value < 6; value++) {
            out.append(guarded(value)).append(' ');
        }
        System.out.println(out);
    }

    static void arrays() {
        int[][][] cube = new int[2][3][4];
        String[][] ragged = new String[3][];
        long[][] grid = new long[2][2];
        cube[1][2][3] = 5;
        grid[1][0] = 7;
        try {
            System.out.println(new byte[-1].length);
        } catch (NegativeArraySizeException error) {
            System.out.println("negative");
        }
        System.out.println(Arrays.deepToString(cube) + ragged.length + grid[1][0] + new Colour[2].length);
    }

    static void objects() {
        for (Double side : new Double[] {null, 1.0, 9.0}) {
            for (String name : new String[] {null, "", "x"}) {
                Offset offset = new Offset(side, name);
                System.out.println(offset.name + " " + offset.area() + " " + offset.describe());
            }
        }
        IntBinaryOperator larger = (a, b) -> a > b ? a : b;
        System.out.println(larger.applyAsInt(3, 4) + larger.applyAsInt(6, 5));
    }
}
