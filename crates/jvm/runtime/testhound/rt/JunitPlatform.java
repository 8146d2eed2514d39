package testhound.rt;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The JUnit Platform of the user's class path: finds and runs tests of every engine there. */
final class JunitPlatform {
    private static final String PACKAGE = "org.junit.platform.";

    private final ClassLoader loader;
    private final Object launcher;
    private final Class<?> listenerType;
    private final Class<?> requestType;

    JunitPlatform(ClassLoader loader) throws Exception {
        this.loader = loader;
        launcher = type("launcher.core.LauncherFactory").getMethod("create").invoke(null);
        listenerType = type("launcher.TestExecutionListener");
        requestType = type("launcher.LauncherDiscoveryRequest");
    }

    private Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(PACKAGE + name, true, loader);
    }

    /** A request for what one selector names. */
    private Object request(String how, Class<?> kind, Object what) throws Exception {
        Object selector = type("engine.discovery.DiscoverySelectors").getMethod(how, kind).invoke(null, what);
        Object selectors = Array.newInstance(type("engine.DiscoverySelector"), 1);
        Array.set(selectors, 0, selector);
        Class<?> builders = type("launcher.core.LauncherDiscoveryRequestBuilder");
        Object builder = builders.getMethod("request").invoke(null);
        builders.getMethod("selectors", selectors.getClass()).invoke(builder, selectors);
        return builders.getMethod("build").invoke(builder);
    }

    void find(String className, List<JunitTest> tests) throws Exception {
        Class<?> found = Class.forName(className, false, loader);
        Object request = request("selectClass", Class.class, found);
        Object plan = type("launcher.Launcher").getMethod("discover", requestType).invoke(launcher, request);
        for (Object root : (Collection<?>) type("launcher.TestPlan").getMethod("getRoots").invoke(plan)) {
            collect(plan, root, className, tests);
        }
    }

    /** A container without children shows its tests only when it runs; it is kept if it stands for a method. */
    private void collect(Object plan, Object identifier, String className, List<JunitTest> tests) throws Exception {
        Class<?> identifiers = type("launcher.TestIdentifier");
        Collection<?> children =
                (Collection<?>) type("launcher.TestPlan").getMethod("getChildren", identifiers).invoke(plan, identifier);
        boolean method = id(identifier).matches(".*\\[(method|test|test-template|test-factory):[^\\]]*\\]");
        if (isTest(identifier) || children.isEmpty() && method) {
            tests.add(new Test(className, name(identifier), null, id(identifier)));
            return;
        }
        for (Object child : children) {
            collect(plan, child, className, tests);
        }
    }

    private Object get(Object identifier, String name) throws Exception {
        return type("launcher.TestIdentifier").getMethod(name).invoke(identifier);
    }

    private boolean isTest(Object identifier) throws Exception {
        return (Boolean) get(identifier, "isTest");
    }

    private String id(Object identifier) throws Exception {
        return (String) get(identifier, "getUniqueId");
    }

    private String name(Object identifier) throws Exception {
        return ((String) get(identifier, "getLegacyReportingName")).replaceFirst("\\(.*\\)$", "");
    }

    /** A test that the platform runs. */
    private final class Test extends JunitTest {
        private final String id;

        Test(String className, String name, JunitTest whole, String id) {
            super(className, name, whole);
            this.id = id;
        }

        @Override
        String key() {
            return id;
        }

        @Override
        JunitTest part(String key) {
            String rest = key.startsWith(id) ? key.substring(id.length()) : key;
            return new Test(className, name + rest, this, key);
        }

        @Override
        void run(Listener listener) {
            Watch watch = new Watch(id, listener);
            try {
                Object listeners = Array.newInstance(listenerType, 1);
                Array.set(listeners, 0, Proxy.newProxyInstance(loader, new Class<?>[] {listenerType}, watch));
                Object request = request("selectUniqueId", String.class, id);
                type("launcher.Launcher")
                        .getMethod("execute", requestType, listeners.getClass())
                        .invoke(launcher, request, listeners);
            } catch (Throwable thrown) {
                watch.thrown = thrown;
            }
            if (!watch.told) {
                listener.ended(null, watch.thrown == null ? SKIPPED : FAILED, watch.thrown);
            }
        }
    }

    /** Hears of the platform's events. */
    private final class Watch implements InvocationHandler {
        private final String id;
        private final JunitTest.Listener listener;
        /** Whether a test ended. */
        boolean told;
        /** What went wrong around tests, in what runs before or after all of a class. */
        Throwable thrown;

        Watch(String id, JunitTest.Listener listener) {
            this.id = id;
            this.listener = listener;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            switch (method.getName()) {
                case "executionFinished":
                    finished(arguments[0], arguments[1]);
                    return null;
                case "executionSkipped":
                    if (isTest(arguments[0])) {
                        end(arguments[0], JunitTest.SKIPPED, null);
                    }
                    return null;
                case "equals":
                    return proxy == arguments[0];
                case "hashCode":
                    return System.identityHashCode(this);
                case "toString":
                    return "listener";
                default:
                    return null;
            }
        }

        private void finished(Object identifier, Object result) throws Exception {
            Class<?> results = type("engine.TestExecutionResult");
            String status = results.getMethod("getStatus").invoke(result).toString();
            Optional<?> cause = (Optional<?>) results.getMethod("getThrowable").invoke(result);
            Throwable error = (Throwable) cause.orElse(null);
            if (isTest(identifier)) {
                int outcome = status.equals("SUCCESSFUL")
                        ? JunitTest.PASSED
                        : status.equals("ABORTED") ? JunitTest.SKIPPED : JunitTest.FAILED;
                end(identifier, outcome, error);
            } else if (status.equals("FAILED") && !told) {
                thrown = error;
            }
        }

        private void end(Object identifier, int outcome, Throwable error) throws Exception {
            told = true;
            String own = id(identifier);
            listener.ended(own.equals(id) ? null : own, outcome, error);
        }
    }
}
