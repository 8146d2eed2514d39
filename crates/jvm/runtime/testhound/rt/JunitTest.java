package testhound.rt;

import java.util.List;

/** One test of a JUnit suite, whichever JUnit runs it. JUnit is reached by reflection: the user's class path brings it. */
abstract class JunitTest {
    static final int PASSED = 0;
    static final int FAILED = 1;
    static final int SKIPPED = 2;

    /** Is told how a test, or a part of it, ended. */
    interface Listener {
        /** A part is named by its key, and null for the test as a whole. */
        void ended(String part, int outcome, Throwable thrown);
    }

    final String className;
    final String name;
    /** The test that this is a part of. */
    final JunitTest whole;

    JunitTest(String className, String name, JunitTest whole) {
        this.className = className;
        this.name = name;
        this.whole = whole;
    }

    abstract void run(Listener listener);

    /** What its JUnit knows it by. */
    abstract String key();

    /** A part that showed itself when the test ran. */
    abstract JunitTest part(String key);

    /** Finds the tests of classes, by the JUnit Platform where it is there, by JUnit 4 for what it does not know. */
    static void find(ClassLoader loader, List<String> classes, List<JunitTest> tests) throws Exception {
        boolean platform = has(loader, "org.junit.platform.launcher.core.LauncherFactory");
        boolean four = has(loader, "org.junit.runner.JUnitCore");
        if (!platform && !four) {
            throw new IllegalStateException("neither the JUnit Platform nor JUnit 4 is on the class path");
        }
        JunitPlatform launcher = platform ? new JunitPlatform(loader) : null;
        for (String name : classes) {
            int before = tests.size();
            if (launcher != null) {
                launcher.find(name, tests);
            }
            if (tests.size() == before && four) {
                JunitFour.find(loader, name, tests);
            }
        }
    }

    private static boolean has(ClassLoader loader, String name) {
        try {
            Class.forName(name, false, loader);
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        }
    }
}
