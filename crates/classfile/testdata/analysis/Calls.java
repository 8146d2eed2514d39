package subject;

import java.util.function.Supplier;

interface Shape {
    int area();

    default int twice() {
        return area() + area();
    }
}

class Square implements Shape {
    public int area() {
        return 1;
    }
}

class Circle implements Shape {
    static int made = start();

    static int start() {
        return 0;
    }

    public int area() {
        return 3;
    }

    @Override
    public int twice() {
        return Shape.super.twice() + 1;
    }
}

abstract class Polygon implements Shape {
    public int area() {
        return sides();
    }

    abstract int sides();
}

class Triangle extends Polygon {
    int sides() {
        return 3;
    }
}

class Calls {
    int measure(Shape shape) {
        return shape.area();
    }

    int doubled(Shape shape) {
        return shape.twice();
    }

    Shape make() {
        return new Circle();
    }

    Supplier<Integer> later(Triangle triangle) {
        Supplier<Integer> first = () -> helper();
        Supplier<Integer> second = triangle::sides;
        return first == null ? second : first;
    }

    private static int helper() {
        return 5;
    }

    boolean even(int n) {
        return n == 0 || odd(n - 1);
    }

    boolean odd(int n) {
        return n != 0 && even(n - 1);
    }
}
