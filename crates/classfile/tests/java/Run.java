import java.lang.reflect.Method;
import java.util.Map;
import testhound.rt.Probes;

/** Runs a program, then prints how often its probes were reached. Further words name classes to reset before a second run. */
public class Run {
    public static void main(String[] arguments) throws Exception {
        Method main = Class.forName(arguments[0]).getMethod("main", String[].class);
        main.invoke(null, (Object) new String[0]);
        for (int at = 1; at < arguments.length; at++) {
            Method reset = Class.forName(arguments[at]).getDeclaredMethod("testhound$clinit");
            reset.setAccessible(true);
            reset.invoke(null);
            main.invoke(null, (Object) new String[0]);
        }
        System.out.println("counts");
        for (Map.Entry<String, Long> count : Probes.COUNTS.entrySet()) {
            System.out.println(count.getKey() + "\t" + count.getValue());
        }
    }
}
