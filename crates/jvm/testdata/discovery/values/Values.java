package values;

public class Values {
    public static byte small(byte b, short s, char c, long l) {
        return b;
    }

    public static double real(float f, double d, boolean b) {
        return d;
    }

    public Integer boxed(Integer i, Number n, Object o, Comparable<String> c, CharSequence text) {
        return i;
    }

    public int[][] grid(int[][] rows, String[] names, Colour[] colours) {
        return rows;
    }

    public Object mixed(Object[] all, Class<?> kind, java.util.List<String> list) {
        return all;
    }
}

enum Colour {
    RED, GREEN {
        @Override
        int shade() {
            return 2;
        }
    };

    static final Colour FIRST = RED;

    int shade() {
        return 1;
    }
}

record Point(int x, int y) {
    Point {
        if (x < 0) {
            throw new IllegalArgumentException();
        }
    }

    static Point origin() {
        return new Point(0, 0);
    }
}
