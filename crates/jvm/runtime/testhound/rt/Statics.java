package testhound.rt;

import java.lang.reflect.Method;

/** Puts the static fields of classes that a test has written to back to where they began. */
final class Statics {
    private static final String RESET = "testhound$clinit";

    private final Subject subject;
    private final ClassLoader loader;
    private final Method[] resets;
    private final boolean[] given;

    Statics(Subject subject, ClassLoader loader) {
        this.subject = subject;
        this.loader = loader;
        resets = new Method[subject.resettable.length];
        given = new boolean[subject.resettable.length];
    }

    /** Resets what the last test wrote to. */
    void reset() {
        int count = Probes.dirty;
        for (int i = 0; i < count; i++) {
            reset(Probes.DIRTY[i]);
        }
    }

    /** A class whose initialiser cannot run twice is left as it is from then on. */
    private void reset(int type) {
        if (given[type]) {
            return;
        }
        try {
            if (resets[type] == null) {
                Class<?> found = Class.forName(subject.resettable[type], false, loader);
                resets[type] = found.getDeclaredMethod(RESET);
                resets[type].setAccessible(true);
            }
            Probes.budget = Settings.ticks;
            resets[type].invoke(null);
        } catch (Throwable thrown) {
            given[type] = true;
        }
    }
}
