package figures;

/** Makes values of a kind from texts. */
public final class Values {
    private Values() {}

    public static Object make(String text, Class<?> kind) {
        if (kind == String.class) {
            return text;
        } else if (kind == Object.class) {
            return new StringBuilder(text);
        } else if (kind == Number.class) {
            return text == null ? 0 : text.length();
        } else if (kind == Class.class) {
            return kind.getName();
        }
        return null;
    }
}
