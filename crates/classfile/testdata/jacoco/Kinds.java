package subject;

/** Classes with members that the compiler makes. */
final class Kinds {
    private Kinds() {}

    enum Colour { RED, GREEN { @Override int light() { return 2; } }; int light() { return 1; } }

    enum Plain { A }

    static int of(Colour colour) {
        switch (colour) {
            case RED:
                return 1;
            case GREEN:
                return 2;
        }
        return 3;
    }

    static class Generic<T> implements Comparable<T> {
        private int calls;

        @Override
        public int compareTo(T other) {
            return new Inner().count();
        }

        private class Inner {
            int count() {
                return calls++;
            }
        }
    }

    @interface Generated {}

    static class Marked {
        @Generated
        static void unused() {
            if (System.nanoTime() == 0) {
                System.out.println("never");
            }
        }
    }

    interface WithDefault {
        default int value() {
            return 1;
        }
    }
}
