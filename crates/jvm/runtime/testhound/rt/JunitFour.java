package testhound.rt;

import java.lang.reflect.Method;
import java.util.List;

/** A test that JUnit 4 runs. */
final class JunitFour extends JunitTest {
    private final ClassLoader loader;
    private final Class<?> type;
    private final Object description;

    private JunitFour(ClassLoader loader, Class<?> type, String name, Object description) {
        super(type.getName(), name, null);
        this.loader = loader;
        this.type = type;
        this.description = description;
    }

    static void find(ClassLoader loader, String name, List<JunitTest> tests) throws Exception {
        Class<?> type = Class.forName(name, false, loader);
        if (!hasTests(loader, type)) {
            return;
        }
        Object request = request(loader, type);
        Object runner = call(request, "getRunner");
        collect(loader, type, call(runner, "getDescription"), tests);
    }

    /** JUnit 4 makes a failing test of every class without tests; such classes are left out. */
    private static boolean hasTests(ClassLoader loader, Class<?> type) throws Exception {
        @SuppressWarnings("unchecked")
        Class<? extends java.lang.annotation.Annotation> test =
                (Class<? extends java.lang.annotation.Annotation>) Class.forName("org.junit.Test", false, loader);
        @SuppressWarnings("unchecked")
        Class<? extends java.lang.annotation.Annotation> runWith =
                (Class<? extends java.lang.annotation.Annotation>) Class.forName("org.junit.runner.RunWith", false, loader);
        if (java.lang.reflect.Modifier.isAbstract(type.getModifiers())) {
            return false;
        }
        if (type.isAnnotationPresent(runWith) || Class.forName("junit.framework.TestCase", false, loader).isAssignableFrom(type)) {
            return true;
        }
        for (Class<?> one = type; one != null; one = one.getSuperclass()) {
            for (Method method : one.getDeclaredMethods()) {
                if (method.isAnnotationPresent(test)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static void collect(ClassLoader loader, Class<?> type, Object description, List<JunitTest> tests) throws Exception {
        if ((Boolean) call(description, "isTest")) {
            String name = (String) call(description, "getMethodName");
            tests.add(new JunitFour(loader, type, name == null ? description.toString() : name, description));
            return;
        }
        for (Object child : (List<?>) call(description, "getChildren")) {
            collect(loader, type, child, tests);
        }
    }

    private static Object request(ClassLoader loader, Class<?> type) throws Exception {
        Class<?> request = Class.forName("org.junit.runner.Request", true, loader);
        return request.getMethod("aClass", Class.class).invoke(null, type);
    }

    private static Object call(Object receiver, String name) throws Exception {
        Method method = receiver.getClass().getMethod(name);
        // The classes behind JUnit's types are not all public.
        method.setAccessible(true);
        return method.invoke(receiver);
    }

    @Override
    void run(Listener listener) {
        try {
            Object all = request(loader, type);
            Class<?> descriptions = Class.forName("org.junit.runner.Description", true, loader);
            Class<?> requests = Class.forName("org.junit.runner.Request", true, loader);
            Object one = requests.getMethod("filterWith", descriptions).invoke(all, description);
            Class<?> core = Class.forName("org.junit.runner.JUnitCore", true, loader);
            Object result = core.getMethod("run", requests).invoke(core.getConstructor().newInstance(), one);
            List<?> failures = (List<?>) call(result, "getFailures");
            if (!failures.isEmpty()) {
                listener.ended(null, FAILED, (Throwable) call(failures.get(0), "getException"));
            } else {
                int ignored = (Integer) call(result, "getIgnoreCount");
                listener.ended(null, ignored > 0 ? SKIPPED : PASSED, null);
            }
        } catch (Throwable thrown) {
            listener.ended(null, FAILED, thrown);
        }
    }

    @Override
    String key() {
        return description.toString();
    }

    @Override
    JunitTest part(String key) {
        throw new IllegalStateException("JUnit 4 tells all tests before they run");
    }
}
