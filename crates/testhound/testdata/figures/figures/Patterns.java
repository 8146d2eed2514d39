package figures;

/** Tells by a letter what kind of value an option takes. What it returns is declared as `Object`. */
public final class Patterns {
    private Patterns() {}

    public static Object kindOf(char letter) {
        switch (letter) {
            case '@':
                return Object.class;
            case ':':
                return String.class;
            case '%':
                return Number.class;
            case '+':
                return Class.class;
            default:
                return null;
        }
    }
}
