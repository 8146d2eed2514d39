import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/** Makes values of any type by constructors, as far as that goes. Every value is new, so that no two share state. */
final class Maker {
    private static final String[] TEXTS = {"a", "b c", "12", "", "2020-01-02", "x=1;y=2"};
    private final Random random;

    Maker(long seed) {
        random = new Random(seed);
    }

    /** A value, or null where none can be made. */
    Object make(Class<?> type, int depth) {
        if (type.isPrimitive() || Number.class.isAssignableFrom(type) && type.getPackageName().equals("java.lang")) {
            return number(type);
        }
        if (type.isEnum()) {
            Object[] all = type.getEnumConstants();
            return all.length == 0 ? null : all[random.nextInt(all.length)];
        }
        if (type.isArray()) {
            Object array = Array.newInstance(type.getComponentType(), 3);
            for (int index = 0; index < 3; index++) {
                Object element = make(type.getComponentType(), depth - 1);
                if (element != null) {
                    Array.set(array, index, element);
                }
            }
            return array;
        }
        Object known = known(type);
        if (known != null) {
            return known;
        }
        if (type.isInterface()) {
            return proxy(type);
        }
        return Modifier.isAbstract(type.getModifiers()) || depth <= 0 ? null : construct(type, depth);
    }

    private Object number(Class<?> type) {
        int value = random.nextInt(5) - 1;
        if (type == boolean.class) {
            return random.nextBoolean();
        } else if (type == char.class) {
            return (char) ('a' + random.nextInt(3));
        } else if (type == byte.class || type == Byte.class) {
            return (byte) value;
        } else if (type == short.class || type == Short.class) {
            return (short) value;
        } else if (type == long.class || type == Long.class) {
            return (long) value;
        } else if (type == float.class || type == Float.class) {
            return (float) value;
        } else if (type == double.class || type == Double.class) {
            return (double) value;
        }
        return type == int.class || type == Integer.class || type == Number.class ? (Object) value : null;
    }

    private Object known(Class<?> type) {
        List<String> texts = new ArrayList<>(Arrays.asList("b", "a", "c"));
        if (type == Object.class || type == String.class || type == CharSequence.class || type == Comparable.class) {
            return TEXTS[random.nextInt(TEXTS.length)];
        } else if (type == Boolean.class) {
            return random.nextBoolean();
        } else if (type == Character.class) {
            return 'a';
        } else if (type == Class.class) {
            return String.class;
        } else if (type.isAssignableFrom(ArrayList.class)) {
            return texts;
        } else if (type == HashSet.class || type.isInterface() && type.isAssignableFrom(TreeSet.class)) {
            return type == HashSet.class ? new HashSet<>(texts) : new TreeSet<>(texts);
        } else if (type == HashMap.class || type.isInterface() && type.isAssignableFrom(TreeMap.class)) {
            TreeMap<String, Integer> map = new TreeMap<>();
            map.put("a", 1);
            map.put("b", 2);
            return type == HashMap.class ? new HashMap<>(map) : map;
        } else if (type == Iterator.class) {
            return texts.iterator();
        } else if (type == Comparator.class) {
            return Comparator.naturalOrder();
        } else if (type == Random.class) {
            return new Random(1);
        }
        return null;
    }

    /** An implementation that answers every call with the least value. */
    private static Object proxy(Class<?> type) {
        try {
            return Proxy.newProxyInstance(Maker.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                Class<?> result = method.getReturnType();
                if (method.getName().equals("equals")) {
                    return self == arguments[0];
                } else if (method.getName().equals("hashCode")) {
                    return 1;
                } else if (result == boolean.class) {
                    return false;
                } else if (result == char.class) {
                    return 'a';
                } else if (result.isPrimitive() && result != void.class) {
                    return new Maker(1).number(result);
                }
                return result == String.class ? "proxy" : null;
            });
        } catch (IllegalArgumentException hidden) {
            return null;
        }
    }

    private Object construct(Class<?> type, int depth) {
        List<Constructor<?>> all = new ArrayList<>(Arrays.asList(type.getConstructors()));
        all.sort(Comparator.comparing(Constructor::toString));
        while (!all.isEmpty()) {
            Constructor<?> constructor = all.remove(random.nextInt(all.size()));
            try {
                return constructor.newInstance(arguments(constructor.getParameterTypes(), depth - 1));
            } catch (ReflectiveOperationException | LinkageError | IllegalArgumentException unfit) {
                // Another one may do.
            }
        }
        return null;
    }

    /** Arguments for parameters. */
    Object[] arguments(Class<?>[] types, int depth) {
        Object[] made = new Object[types.length];
        for (int index = 0; index < types.length; index++) {
            made[index] = make(types[index], depth);
        }
        return made;
    }
}
