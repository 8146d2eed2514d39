package testhound.rt;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;

/** Replaces the code of classes that are loaded. */
public final class Agent {
    private static Instrumentation instrumentation;

    private Agent() {}

    public static void premain(String arguments, Instrumentation given) {
        instrumentation = given;
    }

    static void redefine(Class<?>[] types, byte[][] bytes) throws Exception {
        if (instrumentation == null) {
            throw new UnsupportedOperationException("this worker was started without its agent");
        }
        ClassDefinition[] definitions = new ClassDefinition[types.length];
        for (int i = 0; i < types.length; i++) {
            definitions[i] = new ClassDefinition(types[i], bytes[i]);
        }
        instrumentation.redefineClasses(definitions);
    }
}
