package testhound.rt;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/** Looks closely at what a test gave, for assertions and for people. What is told is written down in `observed.rs`. */
final class Examiner {
    private static final int NULL = 0;
    private static final int PRIMITIVE = 1;
    private static final int TEXT = 2;
    private static final int ENUM = 3;
    private static final int CLASS = 4;
    private static final int OBJECT = 5;
    private static final int UNKNOWN = 6;

    private static final int LONGEST_TEXT = 1000;
    private static final int MOST_ELEMENTS = 32;
    private static final int MOST_FRAMES = 100;

    private final Out out;
    /** What the steps gave. */
    private final Object[] values;

    Examiner(Out out, Object[] values) {
        this.out = out;
        this.values = values;
    }

    void primitive(byte kind, long bits) {
        out.u8(PRIMITIVE);
        out.u8(kind);
        out.i64(bits);
    }

    /** A value; of objects that are not at the top only the class is told, and which step gave them. */
    void value(Object value, boolean top) {
        if (value == null) {
            out.u8(NULL);
        } else if (value instanceof String) {
            text((String) value);
        } else if (value instanceof Enum) {
            out.u8(ENUM);
            out.text(((Enum<?>) value).getDeclaringClass().getName());
            out.text(((Enum<?>) value).name());
        } else if (value instanceof Class) {
            out.u8(CLASS);
            out.text(Array.newInstance((Class<?>) (value == void.class ? Void.class : value), 0).getClass().getName().substring(1));
        } else if (Boxes.letterOfBox(value) != 0) {
            primitive(Boxes.letterOfBox(value), Boxes.unbox(value));
        } else {
            object(value, top);
        }
    }

    private void text(String text) {
        if (text.length() > LONGEST_TEXT) {
            out.u8(UNKNOWN);
            return;
        }
        out.u8(TEXT);
        out.text(text);
    }

    private void object(Object value, boolean top) {
        out.u8(OBJECT);
        out.text(value.getClass().getName());
        out.varint(1 + Math.max(-1, stepOf(value)));
        out.varint(1 + length(value));
        elements(value, top);
        Getter[] getters = top && !value.getClass().isArray() ? Getter.of(value.getClass()) : new Getter[0];
        int at = out.at;
        out.u8(0);
        int told = 0;
        for (Getter getter : getters) {
            if (getter(getter, value)) {
                told++;
            }
        }
        out.bytes[at] = (byte) told;
    }

    private int stepOf(Object value) {
        for (int i = 0; i < values.length; i++) {
            if (values[i] == value) {
                return i;
            }
        }
        return -1;
    }

    /** How many elements an array, a collection or a map has, else -1. */
    private static int length(Object value) {
        Probes.budget = Settings.ticks;
        try {
            if (value.getClass().isArray()) {
                return Array.getLength(value);
            }
            if (value instanceof Collection) {
                return Math.max(-1, ((Collection<?>) value).size());
            }
            return value instanceof Map ? Math.max(-1, ((Map<?, ?>) value).size()) : -1;
        } catch (Throwable thrown) {
            return -1;
        }
    }

    /** The elements of an array or of a collection that keeps an order; a 0 if there are none to be told. */
    private void elements(Object value, boolean top) {
        int start = out.at;
        int length = length(value);
        boolean ordered = value instanceof List || value instanceof SortedSet || value instanceof LinkedHashSet;
        if (!top || length < 0 || length > MOST_ELEMENTS || !ordered && !value.getClass().isArray()) {
            out.u8(0);
            return;
        }
        out.u8(1);
        out.varint(length);
        Probes.budget = Settings.ticks;
        try {
            if (value.getClass().isArray()) {
                array(value, length);
                return;
            }
            int left = length;
            for (Object element : (Collection<?>) value) {
                value(element, false);
                left--;
            }
            if (left == 0) {
                return;
            }
        } catch (Throwable thrown) {
            // Told as without elements.
        }
        out.at = start;
        out.u8(0);
    }

    private void array(Object array, int length) {
        byte kind = Boxes.letter(array.getClass().getComponentType());
        for (int i = 0; i < length; i++) {
            Object element = Array.get(array, i);
            if (kind == 'L') {
                value(element, false);
            } else {
                primitive(kind, Boxes.unbox(element));
            }
        }
    }

    /** Writes a getter if it gives the same twice and does not throw. */
    private boolean getter(Getter getter, Object receiver) {
        int start = out.at;
        out.text(getter.owner.getName());
        out.text(getter.method.getName());
        out.text(getter.descriptor);
        Class<?>[] declared = getter.method.getExceptionTypes();
        out.varint(declared.length);
        for (Class<?> one : declared) {
            out.text(one.getName());
        }
        int first = out.at;
        try {
            got(getter, receiver);
            int second = out.at;
            got(getter, receiver);
            byte[] one = Arrays.copyOfRange(out.bytes, first, second);
            byte[] two = Arrays.copyOfRange(out.bytes, second, out.at);
            if (Arrays.equals(one, two)) {
                out.at = second;
                return true;
            }
        } catch (Throwable thrown) {
            // Left out.
        }
        out.at = start;
        return false;
    }

    private void got(Getter getter, Object receiver) throws Throwable {
        Probes.budget = Settings.ticks;
        Object value = getter.method.invoke(receiver);
        byte kind = Boxes.letter(getter.method.getReturnType());
        if (kind == 'L') {
            value(value, false);
        } else {
            primitive(kind, Boxes.unbox(value));
        }
    }

    /** What was thrown: its class, those of its superclasses that all source can name, its message, its frames. */
    void thrown(Throwable error) {
        out.text(error.getClass().getName());
        int at = out.at;
        out.u8(0);
        int count = 0;
        for (Class<?> type = error.getClass(); type != Object.class; type = type.getSuperclass()) {
            if (Getter.isPublic(type)) {
                out.text(type.getName());
                count++;
            }
        }
        out.bytes[at] = (byte) count;
        String message = null;
        StackTraceElement[] trace = {};
        try {
            message = error.getMessage();
            trace = error.getStackTrace();
        } catch (Throwable broken) {
            // An exception that cannot be asked is told without.
        }
        out.u8(message == null ? 0 : 1);
        if (message != null) {
            out.text(message);
        }
        int frames = Math.min(trace.length, MOST_FRAMES);
        out.varint(frames);
        for (int i = 0; i < frames; i++) {
            out.text(trace[i].getClassName());
            out.text(trace[i].getMethodName());
            out.varint(Math.max(0, trace[i].getLineNumber()));
        }
    }
}
