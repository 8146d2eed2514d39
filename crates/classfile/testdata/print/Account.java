// Compiled to the class file beside it by javac 17: javac -g --release 8 Account.java
import java.util.List;

/** Fields, loops, switches, handlers and annotations as Java 8 has them. */
@Deprecated
public abstract class Account<T extends Comparable<T>> implements Runnable {
    static final int LIMIT = 100_000;
    static final double RATE = 0.25;
    private static final String NAME = "a \"name\"\n";
    protected volatile long balance;
    private T[] owners;

    @interface Checked {
        String[] by() default {"me", "you"};
        int times() default 1;
    }

    @SafeVarargs
    @Checked(times = 2)
    protected final synchronized long add(@Deprecated int kind, long amount, T... who) throws java.io.IOException {
        switch (kind) {
            case 0:
                balance += amount;
                break;
            case 1:
                balance -= amount;
                break;
            default:
                throw new java.io.IOException("kind " + kind);
        }
        switch (kind * 1000) {
            case -5:
            case 70000:
                return amount;
        }
        for (int i = 0; i < who.length; i++) {
            if (who[i] != null && balance > LIMIT) balance = Math.max(balance, (long) (amount * RATE));
        }
        return balance;
    }

    static int count(List<? super Integer> list, String text) {
        try {
            return list.size() + text.length();
        } catch (NullPointerException | IllegalStateException e) {
            return -300;
        } finally {
            list.clear();
        }
    }

    char[][] grid(boolean wide) {
        return new char[wide ? 40 : 3][7];
    }

    abstract void stop();
}
