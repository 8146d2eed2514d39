package shop;

import java.util.ArrayList;
import java.util.List;

/** Something to call: fields, overloads, exceptions, all primitive types, arrays, static state. */
public class Basket implements Comparable<Basket> {
    public static int made;
    public final int limit;
    private final List<String> names = new ArrayList<String>();

    public Basket(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("negative limit " + limit);
        }
        this.limit = limit;
        made++;
    }

    public int add(String name) {
        if (names.size() >= limit) {
            throw new IllegalStateException("full");
        }
        names.add(name);
        return names.size();
    }

    public int size() {
        return names.size();
    }

    public String first() {
        return names.get(0);
    }

    public List<String> getNames() {
        return names;
    }

    public void clear() {
        names.clear();
    }

    String hidden() {
        return "package-private";
    }

    public static int made() {
        return made;
    }

    public static String mix(boolean z, byte b, short s, char c, int i, long l, float f, double d, Object o) {
        return z + "," + b + "," + s + "," + (int) c + "," + i + "," + l + "," + f + "," + d + "," + o;
    }

    public static double half(double number) {
        return number / 2;
    }

    public static float third(float number) {
        return number / 3;
    }

    public static int sum(int[] numbers) {
        int sum = 0;
        for (int number : numbers) {
            sum += number;
        }
        return sum;
    }

    public static String join(String[] words) {
        StringBuilder all = new StringBuilder();
        for (String word : words) {
            all.append(word);
        }
        return all.toString();
    }

    public static int length(String text) {
        return text.length();
    }

    public static double chance() {
        return new java.util.Random().nextDouble() + Math.random();
    }

    public static long now() {
        return System.currentTimeMillis();
    }

    /** Whether a thread that is started was seen to do something. */
    public static boolean overtaken() {
        java.util.concurrent.atomic.AtomicBoolean done = new java.util.concurrent.atomic.AtomicBoolean();
        Thread thread = new Thread(() -> {
            try {
                Thread.sleep(3);
            } catch (InterruptedException ignored) {
                return;
            }
            done.set(true);
        });
        thread.start();
        boolean seen = false;
        for (int i = 0; i < 2000; i++) {
            seen |= done.get();
        }
        return seen;
    }

    /** Fails whatever it is given. */
    public static int careless(int number) {
        String text = null;
        return text.length() + number;
    }

    @Override
    public int compareTo(Basket other) {
        return names.size() - other.names.size();
    }

    @Override
    public boolean equals(Object other) {
        return other == null || other == this;
    }

    @Override
    public int hashCode() {
        return names.size();
    }
}
