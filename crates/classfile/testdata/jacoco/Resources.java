package subject;

import java.io.StringReader;

/** Resources, locks and what compilers add for them. */
class Resources {
    static int one(String text) throws Exception {
        try (StringReader reader = new StringReader(text)) {
            return reader.read();
        }
    }

    static StringReader open(boolean really) {
        return really ? new StringReader("open") : null;
    }

    static void two() throws Exception {
        try (StringReader first = open(true); StringReader second = open(false)) {
            first.read();
        }
        System.identityHashCode("after");
    }

    static int returning(boolean early) throws Exception {
        try (StringReader reader = open(early)) {
            if (early) return 1;
            reader.read();
        } finally {
            System.identityHashCode("done");
        }
        return 2;
    }

    static void failing() throws Exception {
        try (StringReader reader = open(false)) {
            reader.read();
        } catch (ArithmeticException never) {
            System.identityHashCode("never");
        }
    }

    static void locked(Object lock) {
        synchronized (lock) {
            if (lock.hashCode() == 0) {
                return;
            }
            lock.toString();
        }
    }
}
