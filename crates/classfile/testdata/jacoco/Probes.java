package testhound.rt;

import java.lang.reflect.InvocationTargetException;
import java.util.BitSet;

/** Takes the hits of rewritten classes; as a program, runs another one and prints the numbers hit. */
public final class Probes {
    private static final BitSet HITS = new BitSet();

    private Probes() {}

    public static void hit(int number) {
        HITS.set(number);
    }

    public static void main(String[] arguments) throws Exception {
        try {
            Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException thrown) {
            System.err.println("the program threw " + thrown.getCause());
        }
        HITS.stream().forEach(System.out::println);
    }
}
