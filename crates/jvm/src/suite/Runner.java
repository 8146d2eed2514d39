package testhound.run;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;

/**
 * Calls test methods one after another and says on standard output how each ended.
 *
 * Arguments: a file with a class and a method on every line, the milliseconds of processor time that one test may take, and
 * `other` if the JDK is to look like another one. Needs no JUnit of its own: the tests have neither set-up nor engine features, so calling them
 * is all there is to do.
 */
public final class Runner {
    private static final PrintStream OUT = System.out;

    /** Properties that are not the same on another machine. The JDK itself does not look at them again, as at `java.home`. */
    private static final String[] OF_THIS_MACHINE = {
        "java.class.path", "java.library.path", "java.runtime.name", "java.runtime.version", "java.vendor", "java.vendor.url",
        "java.vendor.version", "java.version", "java.version.date", "java.vm.info", "java.vm.name", "java.vm.vendor",
        "java.vm.version", "os.version", "sun.java.command",
    };

    /** The number of the test that runs, or -1. Guarded by the class. */
    private static int running = -1;

    /** When it began, in nanoseconds. Guarded by the class. */
    private static long began;

    /** The processor time, in nanoseconds, when it was first seen running; -1 before that. Guarded by the class. */
    private static long usedBefore;

    private Runner() {
    }

    public static void main(String[] arguments) throws Exception {
        List<String> tests = Files.readAllLines(Paths.get(arguments[0]), StandardCharsets.UTF_8);
        long limit = Long.parseLong(arguments[1]) * 1000000L;
        if (arguments[2].equals("other")) {
            disguise();
        }
        System.setOut(new PrintStream(new Nowhere()));
        System.setErr(new PrintStream(new Nowhere()));
        System.setIn(new ByteArrayInputStream(new byte[0]));
        Thread watch = new Thread(() -> watch(limit));
        watch.setDaemon(true);
        watch.start();
        for (int i = 0; i < tests.size(); i++) {
            String[] test = tests.get(i).split(" ");
            say("start\t" + i);
            begin(i);
            String result = run(test[0], test[1]);
            begin(-1);
            say(result.replace("#", "" + i));
        }
        say("end\t0");
        // Threads that tests left behind must not keep the JVM.
        Runtime.getRuntime().halt(0);
    }

    private static void disguise() {
        for (String name : OF_THIS_MACHINE) {
            String value = System.getProperty(name);
            if (value != null) {
                System.setProperty(name, value + "-other");
            }
        }
        boolean old = System.getProperty("java.specification.version", "").equals("17");
        System.setProperty("java.specification.version", old ? "25" : "17");
        System.setProperty("java.vm.specification.version", old ? "25" : "17");
        System.setProperty("java.class.version", old ? "69.0" : "61.0");
    }

    private static void say(String line) {
        OUT.print("testhound\t" + line + "\n");
        OUT.flush();
    }

    private static synchronized void begin(int test) {
        running = test;
        began = System.nanoTime();
        usedBefore = -1;
    }

    private static void watch(long limit) {
        while (true) {
            try {
                Thread.sleep(50);
            } catch (InterruptedException ignored) {
                // Nobody may stop the watch.
            }
            synchronized (Runner.class) {
                if (running >= 0 && hangs(limit)) {
                    say("hang\t" + running);
                    Runtime.getRuntime().halt(1);
                }
            }
        }
    }

    /** As the workers of a run are watched: on a busy machine the clock on the wall says little. */
    private static boolean hangs(long limit) {
        long used = processorTime();
        usedBefore = usedBefore < 0 ? used : usedBefore;
        long wall = System.nanoTime() - began;
        if (wall < limit || used < 0) {
            return wall >= limit;
        }
        used -= usedBefore;
        boolean waits = wall >= 2 * limit && used * 20 < wall;
        return used >= limit || waits || wall >= 30 * limit;
    }

    /** The processor time of this process in nanoseconds, -1 where it cannot be read. */
    private static long processorTime() {
        try {
            String stat = new String(Files.readAllBytes(Paths.get("/proc/self/stat")), StandardCharsets.ISO_8859_1);
            // The name of the program comes before and may itself contain anything.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 10000000L;
        } catch (IOException | RuntimeException unknown) {
            return -1;
        }
    }

    private static String run(String className, String methodName) {
        try {
            Class<?> type = Class.forName(className);
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            Method method = type.getDeclaredMethod(methodName);
            method.setAccessible(true);
            Object instance = constructor.newInstance();
            method.invoke(instance);
            return "pass\t#";
        } catch (InvocationTargetException thrown) {
            return failed(thrown.getCause(), className, methodName);
        } catch (Throwable thrown) {
            return failed(thrown, className, methodName);
        }
    }

    /** The line of the test that failed, what was thrown, and where. */
    private static String failed(Throwable thrown, String className, String methodName) {
        int line = 0;
        String top = "";
        String message = "";
        try {
            for (StackTraceElement frame : thrown.getStackTrace()) {
                if (top.isEmpty()) {
                    top = frame.getClassName() + "." + frame.getMethodName();
                }
                boolean own = frame.getClassName().equals(className);
                if (own && (frame.getMethodName().equals(methodName) || frame.getMethodName().startsWith("lambda$"))) {
                    line = frame.getLineNumber();
                    break;
                }
            }
            message = String.valueOf(thrown.getMessage());
        } catch (Throwable broken) {
            message = "its message throws " + broken.getClass().getName();
        }
        return "fail\t#\t" + line + "\t" + thrown.getClass().getName() + "\t" + plain(top) + "\t" + plain(message);
    }

    private static String plain(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length() && i < 300; i++) {
            char c = text.charAt(i);
            plain.append(c >= ' ' && c < 127 && c != '#' ? c : '?');
        }
        return plain.toString();
    }

    private static final class Nowhere extends OutputStream {
        @Override
        public void write(int b) throws IOException {
        }

        @Override
        public void write(byte[] b, int offset, int length) throws IOException {
        }
    }
}
