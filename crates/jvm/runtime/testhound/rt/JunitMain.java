package testhound.rt;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Runs JUnit tests over prepared classes: reads requests from standard input, answers on standard output. */
public final class JunitMain {
    private static final int SETUP = 1;
    private static final int RUN = 2;
    private static final int REDEFINE = 3;

    private static final int END = 0;
    private static final int TEST = 1;
    private static final int RESULT = 2;
    private static final int START = 3;

    private final In in = new In(new FileInputStream(FileDescriptor.in));
    private final Out out = new Out(new FileOutputStream(FileDescriptor.out));
    private final List<JunitTest> tests = new ArrayList<JunitTest>();
    private JunitLoader loader;
    private int ticks;
    private boolean untilFailure;
    private boolean failed;

    private JunitMain() {}

    public static void main(String[] arguments) {
        try {
            Quiet.restore();
            Quiet.restoreZone();
            new JunitMain().serve();
        } catch (Throwable broken) {
            // Standard error is given to the Rust side when the process ends.
            broken.printStackTrace(new PrintStream(new FileOutputStream(FileDescriptor.err)));
            Runtime.getRuntime().halt(70);
        }
        Runtime.getRuntime().halt(0);
    }

    private void serve() throws IOException {
        while (in.receive()) {
            switch (in.u8()) {
                case SETUP:
                    setup();
                    break;
                case RUN:
                    run();
                    break;
                case REDEFINE:
                    redefine();
                    break;
                default:
                    throw new IllegalStateException("unknown request");
            }
        }
    }

    /** Makes the class loader and finds the tests of the named classes. */
    private void setup() throws IOException {
        Settings.places = in.varint();
        Settings.arrayLimit = Integer.MAX_VALUE;
        boolean assertions = in.u8() != 0;
        List<String> classpath = new ArrayList<String>();
        for (int count = in.varint(); count > 0; count--) {
            classpath.add(in.text());
        }
        String problem = "";
        try {
            loader = new JunitLoader(classpath, JunitMain.class.getClassLoader());
            for (int count = in.varint(); count > 0; count--) {
                String name = in.text();
                loader.prepare(name, in.block());
            }
            loader.setDefaultAssertionStatus(assertions);
            Thread.currentThread().setContextClassLoader(loader);
            List<String> classes = new ArrayList<String>();
            for (int count = in.varint(); count > 0; count--) {
                classes.add(in.text());
            }
            Probes.begin(Integer.MAX_VALUE);
            JunitTest.find(loader, classes, tests);
        } catch (Throwable thrown) {
            problem = text(thrown);
        }
        for (int i = 0; i < tests.size(); i++) {
            announce(i);
        }
        out.u8(END);
        out.text(problem);
        out.send();
    }

    private void announce(int index) throws IOException {
        JunitTest test = tests.get(index);
        out.u8(TEST);
        out.varint(index);
        out.text(test.className);
        out.text(test.name);
        out.varint(1 + tests.indexOf(test.whole));
        out.send();
    }

    /** Runs tests one by one and tells how each ended. What happens between two tests belongs to the second. */
    private void run() throws IOException {
        ticks = in.i32();
        untilFailure = in.u8() != 0;
        failed = false;
        int[] chosen = new int[in.varint()];
        for (int i = 0; i < chosen.length; i++) {
            chosen[i] = in.varint();
        }
        // What classes did when they were found counts too.
        Probes.budget = ticks;
        for (int i = 0; i < chosen.length && !(failed && untilFailure); i++) {
            final int index = chosen[i];
            out.u8(START);
            out.varint(index);
            out.send();
            tests.get(index).run(new JunitTest.Listener() {
                @Override
                public void ended(String part, int outcome, Throwable thrown) {
                    result(part == null ? index : part(index, part), outcome, thrown);
                }
            });
            Quiet.restore();
        }
        out.u8(END);
        hits();
        out.send();
        Probes.begin(ticks);
    }

    /** The number of a part of a test that was not known before it ran, such as one call of a parameterised test. */
    private int part(int index, String key) {
        JunitTest whole = tests.get(index);
        for (int i = 0; i < tests.size(); i++) {
            JunitTest test = tests.get(i);
            if (test.whole == whole && test.key().equals(key)) {
                return i;
            }
        }
        tests.add(whole.part(key));
        try {
            announce(tests.size() - 1);
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
        return tests.size() - 1;
    }

    private void result(int index, int outcome, Throwable thrown) {
        failed |= outcome == JunitTest.FAILED;
        try {
            out.u8(RESULT);
            out.varint(index);
            out.u8(outcome);
            out.text(thrown == null ? "" : text(thrown));
            // Used up is negative.
            out.varint(Probes.budget < 0 ? Integer.MAX_VALUE : ticks - Probes.budget);
            hits();
            out.send();
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
        Probes.begin(ticks);
    }

    private void hits() {
        int count = Probes.hits;
        out.varint(count);
        for (int i = 0; i < count; i++) {
            out.varint(Probes.HITS[i]);
        }
    }

    private void redefine() throws IOException {
        String problem = "";
        try {
            int count = in.varint();
            Class<?>[] types = new Class<?>[count];
            byte[][] bytes = new byte[count][];
            for (int i = 0; i < count; i++) {
                types[i] = Class.forName(in.text(), false, loader);
                bytes[i] = in.block();
            }
            Agent.redefine(types, bytes);
        } catch (Throwable thrown) {
            problem = text(thrown);
        }
        out.text(problem);
        out.send();
    }

    private static String text(Throwable thrown) {
        try {
            return String.valueOf(thrown);
        } catch (Throwable unprintable) {
            return thrown.getClass().getName();
        }
    }
}
