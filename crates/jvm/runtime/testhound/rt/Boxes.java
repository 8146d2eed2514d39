package testhound.rt;

import java.lang.reflect.Array;

/** Primitive values as bits, and as objects. Kinds are the letters of descriptors. */
final class Boxes {
    private Boxes() {}

    static Object box(long bits, byte kind) {
        switch (kind) {
            case 'Z':
                return bits != 0;
            case 'B':
                return (byte) bits;
            case 'S':
                return (short) bits;
            case 'C':
                return (char) bits;
            case 'I':
                return (int) bits;
            case 'J':
                return bits;
            case 'F':
                return Float.intBitsToFloat((int) bits);
            default:
                return Double.longBitsToDouble(bits);
        }
    }

    static long unbox(Object value) {
        if (value instanceof Boolean) {
            return (Boolean) value ? 1 : 0;
        }
        if (value instanceof Character) {
            return (Character) value;
        }
        if (value instanceof Double) {
            return Double.doubleToRawLongBits((Double) value);
        }
        if (value instanceof Float) {
            return Float.floatToRawIntBits((Float) value);
        }
        return ((Number) value).longValue();
    }

    /** A new array of the elements that were given as arguments. */
    static Object array(Class<?> component, int count, Object[] references, long[] primitives) {
        Object array = Array.newInstance(component, count);
        if (!component.isPrimitive()) {
            Object[] elements = (Object[]) array;
            for (int i = 0; i < count; i++) {
                elements[i] = references[i];
            }
            return array;
        }
        byte kind = letter(component);
        for (int i = 0; i < count; i++) {
            Array.set(array, i, box(primitives[i], kind));
        }
        return array;
    }

    static byte letter(Class<?> type) {
        if (!type.isPrimitive()) {
            return 'L';
        }
        return type == void.class ? (byte) 'V' : (byte) Array.newInstance(type, 0).getClass().getName().charAt(1);
    }

    /** The letter of the primitive that a box holds; 0 for other objects. */
    static byte letterOfBox(Object value) {
        Class<?> type = value.getClass();
        if (type == Integer.class) {
            return 'I';
        }
        if (type == Long.class) {
            return 'J';
        }
        if (type == Double.class) {
            return 'D';
        }
        if (type == Boolean.class) {
            return 'Z';
        }
        if (type == Character.class) {
            return 'C';
        }
        if (type == Float.class) {
            return 'F';
        }
        if (type == Short.class) {
            return 'S';
        }
        return type == Byte.class ? (byte) 'B' : 0;
    }
}
