package nesting;

public class Outer {
    public class Inner {
        public Inner(int size) {
        }

        public class Deep {
            public int depth() {
                return 2;
            }
        }
    }

    public static class Nested {
        public static int next(int number) {
            return number + 1;
        }
    }

    private static class Secret {
        public void work() {
        }

        public static class Below {
            public void work() {
            }
        }
    }

    protected interface Shape {
        double area();
    }

    public Shape square(final double side) {
        return new Shape() {
            public double area() {
                return side * side;
            }
        };
    }

    public int local() {
        class Local {
            int value() {
                return 3;
            }
        }
        return new Local().value();
    }

    void take(Secret secret) {
    }
}

class Unreachable {
    private Unreachable() {
    }

    class Member {
        Member() {
        }

        void call() {
        }
    }
}

class NotPublic {
    public static class Open {
        public void call() {
        }
    }
}
