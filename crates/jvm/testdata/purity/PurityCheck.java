import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Calls methods that are said to change nothing, on objects that were made for it, and tells whether receiver and arguments are as
 * before: in what getters and `toString` say, and in their fields. Reads lines `class method descriptor`; writes per method
 * `same`, `hidden` (only fields differ), `changed` or `uncalled`, and what differs.
 */
public final class PurityCheck {
    private static final int TRIES = 6;
    private static final long PATIENCE = 2000;
    private static final Map<Class<?>, List<Method>> GETTERS = new TreeMap<>((one, other) -> one.getName().compareTo(other.getName()));

    private PurityCheck() {
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        // What is tested may write; that is not of interest.
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(System.out);
        List<Method> methods = new ArrayList<>();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            Method method = find(words[0], words[1], words[2]);
            if (method == null) {
                out.println("uncalled " + line);
                continue;
            }
            methods.add(method);
            if (isGetter(method)) {
                GETTERS.computeIfAbsent(method.getDeclaringClass(), type -> new ArrayList<>()).add(method);
            }
        }
        for (Method method : methods) {
            out.println(inTime(method) + " " + method.getDeclaringClass().getName() + "." + method.getName()
                    + MethodType.methodType(method.getReturnType(), method.getParameterTypes()).toMethodDescriptorString());
        }
        out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static Method find(String owner, String name, String descriptor) {
        try {
            Class<?> type = Class.forName(owner.replace('/', '.'));
            MethodType asked = MethodType.fromMethodDescriptorString(descriptor, type.getClassLoader());
            Method method = type.getDeclaredMethod(name, asked.parameterArray());
            return Modifier.isPublic(type.getModifiers()) && method.getReturnType() == asked.returnType() ? method : null;
        } catch (ReflectiveOperationException | LinkageError | TypeNotPresentException unfit) {
            return null;
        }
    }

    private static boolean isGetter(Method method) {
        Class<?> type = method.getReturnType();
        return method.getParameterCount() == 0 && !Modifier.isStatic(method.getModifiers())
                && (type.isPrimitive() || type == String.class) && type != void.class;
    }

    private static String inTime(Method method) throws InterruptedException {
        AtomicReference<String> result = new AtomicReference<>("uncalled");
        Thread thread = new Thread(() -> result.set(check(method)));
        thread.setDaemon(true);
        thread.start();
        thread.join(PATIENCE);
        return result.get();
    }

    /** The worst of some tries. */
    private static String check(Method method) {
        String worst = "uncalled";
        for (int attempt = 0; attempt < TRIES; attempt++) {
            String found;
            try {
                found = attempt(method, new Maker(attempt));
            } catch (Throwable broken) {
                continue;
            }
            if (found.startsWith("changed")) {
                return found;
            }
            if (!worst.startsWith("hidden")) {
                worst = found.equals("uncalled") ? worst : found;
            }
        }
        return worst;
    }

    private static String attempt(Method method, Maker maker) throws IllegalAccessException {
        boolean isStatic = Modifier.isStatic(method.getModifiers());
        Object receiver = isStatic ? null : maker.make(method.getDeclaringClass(), 3);
        if (!isStatic && (receiver == null || receiver.getClass() != method.getDeclaringClass())) {
            return "uncalled";
        }
        Object[] arguments = maker.arguments(method.getParameterTypes(), 2);
        Object[] all = new Object[arguments.length + 1];
        all[0] = receiver;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        String said = said(all);
        if (!said.equals(said(all))) {
            return "uncalled";
        }
        Map<String, String> before = Fields.of(all);
        try {
            method.invoke(receiver, arguments);
        } catch (InvocationTargetException thrown) {
            // An exception is no change.
        }
        Map<String, String> after = Fields.of(all);
        String place = difference(before, after);
        if (!said.equals(said(all))) {
            return "changed{" + place + "}";
        }
        return place.isEmpty() ? "same" : "hidden{" + place + "}";
    }

    /** What getters and `toString` of the objects say. */
    private static String said(Object[] objects) {
        StringBuilder text = new StringBuilder();
        for (Object object : objects) {
            if (object == null) {
                continue;
            }
            try {
                if (object.getClass().getMethod("toString").getDeclaringClass() != Object.class) {
                    text.append(object).append('\n');
                }
            } catch (Throwable thrown) {
                text.append(thrown.getClass()).append('\n');
            }
            for (Method getter : GETTERS.getOrDefault(object.getClass(), List.of())) {
                try {
                    text.append(getter.getName()).append(' ').append(getter.invoke(object)).append('\n');
                } catch (Throwable thrown) {
                    text.append(getter.getName()).append(" throws\n");
                }
            }
        }
        return text.toString();
    }

    private static String difference(Map<String, String> before, Map<String, String> after) {
        for (Map.Entry<String, String> entry : after.entrySet()) {
            String old = before.get(entry.getKey());
            if (!entry.getValue().equals(old)) {
                return (entry.getKey() + ": " + old + " -> " + entry.getValue()).replace(' ', '_').replace('\n', '_');
            }
        }
        return before.size() == after.size() ? "" : "size";
    }
}
