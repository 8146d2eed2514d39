package testhound.rt;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;

/** A public method without parameters that by its name only looks at its object. */
final class Getter {
    private static final String[] PREFIXES = {"get", "is", "has", "can", "contains", "to", "as", "count"};
    private static final String[] NAMES = {
        "size", "length", "isEmpty", "toString", "name", "value", "key", "first", "last", "min", "max", "peek", "count", "index", "doubleValue",
        "floatValue", "intValue", "longValue", "ordinal", "signum", "depth", "width", "height"
    };
    private static final int MOST = 60;

    /** The most general class that declares it and that all source can name. */
    final Class<?> owner;
    /** The method there. */
    final Method method;
    final String descriptor;

    private Getter(Method method) {
        this.owner = method.getDeclaringClass();
        this.method = method;
        Class<?> result = method.getReturnType();
        this.descriptor = "()" + Array.newInstance(result, 0).getClass().getName().substring(1).replace('.', '/');
    }

    private static final ClassValue<Getter[]> KNOWN = new ClassValue<Getter[]>() {
        @Override
        protected Getter[] computeValue(Class<?> type) {
            try {
                return find(type);
            } catch (LinkageError missing) {
                return new Getter[0];
            }
        }
    };

    /** The getters of a class, in the order of their names. */
    static Getter[] of(Class<?> type) {
        return KNOWN.get(type);
    }

    private static Getter[] find(Class<?> type) {
        ArrayList<Getter> found = new ArrayList<Getter>();
        for (Method method : type.getMethods()) {
            boolean looks = method.getParameterTypes().length == 0
                    && method.getReturnType() != void.class
                    && !Modifier.isStatic(method.getModifiers())
                    && !method.isBridge()
                    && method.getDeclaringClass() != Object.class
                    && named(method.getName());
            Method general = looks ? general(type, method.getName()) : null;
            if (general != null) {
                found.add(new Getter(general));
            }
        }
        Comparator<Getter> order = new Comparator<Getter>() {
            @Override
            public int compare(Getter one, Getter other) {
                int byName = one.method.getName().compareTo(other.method.getName());
                return byName != 0 ? byName : one.owner.getName().compareTo(other.owner.getName());
            }
        };
        Getter[] getters = found.toArray(new Getter[0]);
        Arrays.sort(getters, order);
        return getters.length > MOST ? Arrays.copyOf(getters, MOST) : getters;
    }

    private static boolean named(String name) {
        for (String one : NAMES) {
            if (name.equals(one)) {
                return true;
            }
        }
        for (String prefix : PREFIXES) {
            int length = prefix.length();
            if (name.startsWith(prefix) && name.length() > length && !Character.isLowerCase(name.charAt(length))) {
                return true;
            }
        }
        return false;
    }

    /** The method in the most general public class or interface that declares it and lets itself be called there. */
    private static Method general(Class<?> type, String name) {
        LinkedHashSet<Class<?>> types = new LinkedHashSet<Class<?>>();
        Classes.collect(type, types);
        Method best = null;
        for (Class<?> one : types) {
            if (!isPublic(one)) {
                continue;
            }
            Method method = declared(one, name);
            if (method != null && (best == null || one.isAssignableFrom(best.getDeclaringClass()))) {
                best = method;
            }
        }
        return best;
    }

    private static Method declared(Class<?> type, String name) {
        for (Method method : type.getDeclaredMethods()) {
            boolean fits = method.getName().equals(name)
                    && method.getParameterTypes().length == 0
                    && Modifier.isPublic(method.getModifiers())
                    && !Modifier.isStatic(method.getModifiers())
                    && !method.isBridge();
            if (fits) {
                return method;
            }
        }
        return null;
    }

    /** Whether source code in any package can name a class. */
    static boolean isPublic(Class<?> type) {
        String name = type.getName();
        if (name.startsWith("sun.") || name.startsWith("jdk.internal.") || name.startsWith("com.sun.")) {
            return false;
        }
        for (Class<?> one = type; one != null; one = one.getEnclosingClass()) {
            if (!Modifier.isPublic(one.getModifiers()) || one.isAnonymousClass() || one.isLocalClass()) {
                return false;
            }
        }
        return true;
    }
}
