import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.TreeMap;

/** All that is reached from an object by fields and elements: what stands at which path. */
final class Fields {
    private static final int MOST = 3000;
    private final Map<String, String> values = new TreeMap<>();
    private final IdentityHashMap<Object, String> seen = new IdentityHashMap<>();
    private final ArrayDeque<Object[]> open = new ArrayDeque<>();

    /** The values by their paths. */
    static Map<String, String> of(Object root) {
        Fields fields = new Fields();
        fields.add("", root);
        while (!fields.open.isEmpty() && fields.values.size() < MOST) {
            Object[] next = fields.open.remove();
            fields.look((String) next[0], next[1]);
        }
        return fields.values;
    }

    private void add(String path, Object value) {
        if (value == null || leaf(value)) {
            values.put(path, String.valueOf(value));
            return;
        }
        String known = seen.putIfAbsent(value, path);
        values.put(path, known == null ? value.getClass().getName() : "same as " + known);
        if (known == null) {
            open.add(new Object[] {path, value});
        }
    }

    private static boolean leaf(Object value) {
        return value instanceof String || value instanceof Number && value.getClass().getPackageName().equals("java.lang")
                || value instanceof Boolean || value instanceof Character || value instanceof Class || value instanceof Enum;
    }

    private void look(String path, Object value) {
        Class<?> type = value.getClass();
        if (type.isArray()) {
            values.put(path + "#", String.valueOf(Array.getLength(value)));
            for (int index = 0; index < Math.min(Array.getLength(value), 200); index++) {
                add(path + "[" + index + "]", Array.get(value, index));
            }
            return;
        }
        // What the virtual machine and its caches keep is nobody's state.
        if (value instanceof ClassLoader || value instanceof Thread || value instanceof java.lang.ref.Reference
                || type.isHidden() || java.lang.reflect.Proxy.isProxyClass(type)) {
            return;
        }
        for (Class<?> one = type; one != null; one = one.getSuperclass()) {
            for (Field field : one.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    try {
                        field.setAccessible(true);
                        add(path + "." + field.getName(), field.get(value));
                    } catch (RuntimeException | IllegalAccessException closed) {
                        values.put(path + "." + field.getName(), "closed");
                    }
                }
            }
        }
    }
}
