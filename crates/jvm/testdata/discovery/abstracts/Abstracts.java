package abstracts;

public class Abstracts {
    public static Factory factory() {
        return new Factory("made");
    }

    public static int run(Lonely lonely, Animal animal) {
        return 0;
    }
}

interface Animal {
    String sound();

    default String twice() {
        return sound() + sound();
    }

    static Animal any() {
        return new Dog(1);
    }
}

abstract class Pet implements Animal {
    protected Pet(int age) {
    }

    abstract int legs();

    public int age() {
        return 1;
    }
}

class Dog extends Pet {
    Dog(int age) {
        super(age);
    }

    int legs() {
        return 4;
    }

    public String sound() {
        return "wuff";
    }
}

interface Lonely {
    int call();

    default int twice() {
        return 2 * call();
    }
}

abstract class Idea {
    Idea() {
    }

    int think() {
        return 1;
    }
}

class Factory {
    private final String name;

    private Factory() {
        name = "";
    }

    Factory(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }
}

class Tool {
    private Tool() {
    }

    static int size() {
        return 1;
    }

    int never() {
        return 2;
    }
}

sealed interface Shape permits Circle, Square {
    double area();
}

record Circle(double radius) implements Shape {
    public double area() {
        return radius * radius * 3;
    }
}

final class Square implements Shape {
    public double area() {
        return 1;
    }
}

@interface Marker {
    int value() default 1;
}
