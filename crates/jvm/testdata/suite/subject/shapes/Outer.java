package shapes;

public class Outer {
    private final int base;

    public Outer(int base) {
        this.base = base;
    }

    public class Inner {
        private final int more;

        public Inner(int more) {
            this.more = more;
        }

        public int sum() {
            return base + more;
        }
    }

    public static class Nested {
        public int value = 3;

        public Color color() {
            return Color.GREEN;
        }
    }

    public enum Color {
        RED, GREEN;

        public Color next() {
            return values()[(ordinal() + 1) % values().length];
        }
    }

    public interface Named {
        static String nameOf(Object object) {
            return object == null ? "nothing" : object.getClass().getSimpleName();
        }
    }

    public static String join(String separator, String... parts) {
        return parts == null ? null : String.join(separator, parts);
    }
}
