package testhound.rt;

import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;

/** Numbers run-time classes in the order in which this worker meets them, and announces each once with its supertypes. */
final class Classes extends ClassValue<Classes.Known> {
    /** How the values of a class are told apart. */
    static final byte PLAIN = 0;
    static final byte STRING = 1;
    static final byte NUMBER = 2;
    static final byte FLOATING = 3;
    static final byte CHARACTER = 4;
    static final byte BOOLEAN = 5;
    static final byte ENUM = 6;

    /** What is known of a class. */
    static final class Known {
        final Class<?> type;
        final int number;
        final byte kind;
        /** Whether it belongs to what is tested. */
        final boolean own;
        boolean announced;

        Known(Class<?> type, int number, byte kind, boolean own) {
            this.type = type;
            this.number = number;
            this.kind = kind;
            this.own = own;
        }
    }

    private final Subject subject;
    private final ClassLoader loader;
    private int count;

    Classes(Subject subject, ClassLoader loader) {
        this.subject = subject;
        this.loader = loader;
    }

    @Override
    protected Known computeValue(Class<?> type) {
        boolean own = type.getClassLoader() == loader && subject.owns(type.getName());
        return new Known(type, count++, kind(type), own);
    }

    private static byte kind(Class<?> type) {
        if (type == String.class) {
            return STRING;
        }
        if (type == Integer.class || type == Long.class || type == Short.class || type == Byte.class) {
            return NUMBER;
        }
        if (type == Double.class || type == Float.class) {
            return FLOATING;
        }
        if (type == Character.class) {
            return CHARACTER;
        }
        if (type == Boolean.class) {
            return BOOLEAN;
        }
        return Enum.class.isAssignableFrom(type) ? ENUM : PLAIN;
    }

    /** Writes the number of a class, and at the first time what it is. */
    void write(Known known, Out out) {
        out.varint(known.number);
        if (!known.announced) {
            known.announced = true;
            announce(known.type, out);
        }
    }

    private static void announce(Class<?> type, Out out) {
        out.text(type.getName());
        out.varint(type.getModifiers() & (Modifier.PUBLIC | Modifier.ABSTRACT | Modifier.INTERFACE));
        LinkedHashSet<Class<?>> supertypes = new LinkedHashSet<Class<?>>();
        collect(type, supertypes);
        supertypes.remove(type);
        out.varint(supertypes.size());
        for (Class<?> supertype : supertypes) {
            out.text(supertype.getName());
        }
    }

    /** Adds a class and all its supertypes. */
    static void collect(Class<?> type, LinkedHashSet<Class<?>> supertypes) {
        if (type == null || !supertypes.add(type)) {
            return;
        }
        collect(type.getSuperclass(), supertypes);
        for (Class<?> one : type.getInterfaces()) {
            collect(one, supertypes);
        }
        Class<?> component = type.getComponentType();
        if (component != null && !component.isPrimitive() && component != Object.class) {
            // Arrays of supertypes are supertypes of arrays.
            LinkedHashSet<Class<?>> components = new LinkedHashSet<Class<?>>();
            collect(component, components);
            for (Class<?> one : components) {
                supertypes.add(java.lang.reflect.Array.newInstance(one, 0).getClass());
            }
            supertypes.add(Object[].class);
        }
    }

    /** Equal for values that look equal; 0 where that is not cheap to tell. */
    static long fingerprint(Object value, byte kind) {
        switch (kind) {
            case STRING: {
                String text = (String) value;
                return (long) text.length() << 32 | text.hashCode() & 0xffffffffL;
            }
            case NUMBER:
                return ((Number) value).longValue();
            case FLOATING:
                return Double.doubleToLongBits(((Number) value).doubleValue());
            case CHARACTER:
                return (Character) value;
            case BOOLEAN:
                return (Boolean) value ? 1 : 0;
            case ENUM:
                return ((Enum<?>) value).ordinal();
            default:
                return 0;
        }
    }
}
