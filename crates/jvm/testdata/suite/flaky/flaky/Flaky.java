package flaky;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.TimeZone;

/** Methods whose results are not the same everywhere, and some that end the JVM. */
public class Flaky {
    private static int calls;

    public static long time() {
        return System.nanoTime();
    }

    public static int identity() {
        return System.identityHashCode(new Object());
    }

    /** The order of a set of objects without a hash code of their own. */
    public static String order() {
        Set<Object> set = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            int number = i;
            set.add(new Object() {
                @Override
                public String toString() {
                    return "" + number;
                }
            });
        }
        return Arrays.toString(set.toArray());
    }

    public static String locale() {
        return String.format("%.1f", 1.5);
    }

    public static String upper() {
        return "title".toUpperCase();
    }

    public static String zone() {
        return TimeZone.getDefault().getID();
    }

    public static String country() {
        return System.getProperty("user.country");
    }

    public static boolean headless() {
        return Boolean.getBoolean("java.awt.headless");
    }

    public static boolean version() {
        return Character.isDigit(System.getProperty("java.version").charAt(System.getProperty("java.version").length() - 1));
    }

    public static int count() {
        return ++calls;
    }

    public static void first() {
        if (++calls > 1) {
            throw new IllegalStateException();
        }
    }

    public static void exit() {
        System.exit(3);
    }

    public static void hang() {
        while (true) {
            calls = 0;
        }
    }

    private static synchronized void waitForever() {
        while (true) {
            try {
                Flaky.class.wait();
            } catch (InterruptedException ignored) {
                // Waits on.
            }
        }
    }

    /** Leaves a thread behind and prints what looks like a result. */
    public static int good() {
        System.out.println("testhound\tfail\t0");
        new Thread(Flaky::waitForever).start();
        return 7;
    }

    public static void failsByLocale() {
        if (Locale.getDefault().getLanguage().equals("en")) {
            throw new IllegalStateException();
        }
        throw new IllegalArgumentException();
    }

    public static void bad() {
        throw new IllegalStateException();
    }

    /** Takes what only a cast to the raw type gives it. */
    public static int count(Collection<? extends Number> numbers) {
        return numbers.size();
    }

    /** Is no collection of numbers to the compiler. */
    public static class Words extends ArrayList<String> {
        private static final long serialVersionUID = 1;
    }

    /** Has a stable and an unstable side. */
    public static class Mixed {
        public int getSize() {
            return 1;
        }

        public long getTime() {
            return System.nanoTime();
        }
    }
}
