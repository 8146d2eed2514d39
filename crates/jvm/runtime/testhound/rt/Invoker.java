package testhound.rt;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;

/** Calls one operation by reflection, where no trampoline can link to it. Also makes arrays. */
final class Invoker {
    private final Class<?> component;
    /** The class itself, where that is what is wanted. */
    private final Class<?> literal;
    private final Constructor<?> constructor;
    private final Method method;
    private final Field field;
    /** The letters of the parameters, the receiver first. */
    private final byte[] parameters;
    private final boolean receiver;

    /** Finds the member; throws what keeps it from being called. */
    Invoker(Subject subject, int operation, ClassLoader loader) throws Throwable {
        String[] member = subject.member(operation);
        if (subject.kinds[operation] == Subject.ARRAY) {
            component = load(member[0], new int[] {1}, loader);
            literal = null;
            constructor = null;
            method = null;
            field = null;
            parameters = new byte[0];
            receiver = false;
            return;
        }
        component = null;
        Class<?> owner = Class.forName(member[0], false, loader);
        if (subject.kinds[operation] == Subject.CLASS_LITERAL) {
            literal = owner;
            constructor = null;
            method = null;
            field = null;
            parameters = new byte[0];
            receiver = false;
            return;
        }
        literal = null;
        if (member[2].charAt(0) != '(') {
            field = find(owner, member[1]);
            open(field, field);
            constructor = null;
            method = null;
            receiver = !Modifier.isStatic(field.getModifiers());
            parameters = receiver ? new byte[] {'L'} : new byte[0];
            return;
        }
        field = null;
        Class<?>[] types = types(member[2], loader);
        if (member[1].equals("<init>")) {
            constructor = owner.getDeclaredConstructor(types);
            open(constructor, constructor);
            method = null;
            receiver = false;
        } else {
            constructor = null;
            method = find(owner, member[1], types, member[2]);
            open(method, method);
            receiver = !Modifier.isStatic(method.getModifiers());
        }
        int first = receiver ? 1 : 0;
        parameters = new byte[types.length + first];
        if (receiver) {
            parameters[0] = 'L';
        }
        for (int i = 0; i < types.length; i++) {
            parameters[i + first] = Boxes.letter(types[i]);
        }
    }

    /** Lifts access checks. Modules refuse that for the class library, whose public members need it not. */
    private static void open(AccessibleObject object, Member member) {
        try {
            object.setAccessible(true);
        } catch (RuntimeException refused) {
            if (!Modifier.isPublic(member.getModifiers()) || !Modifier.isPublic(member.getDeclaringClass().getModifiers())) {
                throw refused;
            }
        }
    }

    /** Whether the class of a member and all types of its descriptor are there. */
    static boolean typesLoad(String[] member, ClassLoader loader) {
        try {
            Class.forName(member[0], false, loader);
            int[] at = {0};
            while (at[0] < member[2].length()) {
                char letter = member[2].charAt(at[0]);
                if (letter == '(' || letter == ')' || letter == 'V') {
                    at[0]++;
                } else {
                    load(member[2], at, loader);
                }
            }
            return true;
        } catch (Throwable missing) {
            return false;
        }
    }

    /** Among methods that differ in their result alone, the one with this descriptor. */
    private static Method find(Class<?> owner, String name, Class<?>[] types, String descriptor) throws Exception {
        // Members may be named by a class that inherits them.
        LinkedHashSet<Class<?>> classes = new LinkedHashSet<Class<?>>();
        Classes.collect(owner, classes);
        for (Class<?> one : classes) {
            for (Method method : one.getDeclaredMethods()) {
                if (method.getName().equals(name)
                        && Arrays.equals(method.getParameterTypes(), types)
                        && descriptor.endsWith(")" + descriptor(method.getReturnType()))) {
                    return method;
                }
            }
        }
        throw new NoSuchMethodException(owner.getName() + "." + name + descriptor);
    }

    private static Field find(Class<?> owner, String name) throws NoSuchFieldException {
        LinkedHashSet<Class<?>> classes = new LinkedHashSet<Class<?>>();
        Classes.collect(owner, classes);
        for (Class<?> one : classes) {
            for (Field field : one.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    return field;
                }
            }
        }
        throw new NoSuchFieldException(owner.getName() + "." + name);
    }

    private static String descriptor(Class<?> type) {
        if (type == void.class) {
            return "V";
        }
        return java.lang.reflect.Array.newInstance(type, 0).getClass().getName().substring(1).replace('.', '/');
    }

    private static Class<?>[] types(String descriptor, ClassLoader loader) throws ClassNotFoundException {
        ArrayList<Class<?>> types = new ArrayList<Class<?>>();
        int[] at = {1};
        while (descriptor.charAt(at[0]) != ')') {
            types.add(load(descriptor, at, loader));
        }
        return types.toArray(new Class<?>[0]);
    }

    /** Loads the type whose descriptor begins at an index, and moves that behind it. */
    private static Class<?> load(String descriptor, int[] at, ClassLoader loader) throws ClassNotFoundException {
        int start = at[0];
        int end = start;
        while (descriptor.charAt(end) == '[') {
            end++;
        }
        end = descriptor.charAt(end) == 'L' ? descriptor.indexOf(';', end) + 1 : end + 1;
        at[0] = end;
        String name = descriptor.substring(start, end).replace('/', '.');
        switch (name.charAt(0)) {
            case 'Z':
                return boolean.class;
            case 'B':
                return byte.class;
            case 'S':
                return short.class;
            case 'C':
                return char.class;
            case 'I':
                return int.class;
            case 'J':
                return long.class;
            case 'F':
                return float.class;
            case 'D':
                return double.class;
            case 'L':
                return Class.forName(name.substring(1, name.length() - 1), false, loader);
            default:
                return Class.forName(name, false, loader);
        }
    }

    /** Like {@link Trampoline#call}. */
    Object call(byte result, int count, Object[] references, long[] primitives) throws Throwable {
        if (component != null) {
            return Boxes.array(component, count, references, primitives);
        }
        if (literal != null) {
            return literal;
        }
        Object value;
        if (field != null) {
            value = field.get(receiver ? references[0] : null);
        } else {
            value = invoke(references, primitives);
        }
        if (result == 'L') {
            return value;
        }
        if (result != 'V') {
            primitives[0] = Boxes.unbox(value);
        }
        return null;
    }

    private Object invoke(Object[] references, long[] primitives) throws Throwable {
        int first = receiver ? 1 : 0;
        Object[] arguments = new Object[parameters.length - first];
        for (int i = 0; i < arguments.length; i++) {
            byte kind = parameters[i + first];
            arguments[i] = kind == 'L' ? references[i + first] : Boxes.box(primitives[i + first], kind);
        }
        try {
            return method == null ? constructor.newInstance(arguments) : method.invoke(receiver ? references[0] : null, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}
