package bad;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Does not end, or ends badly, each time in another way. */
public class Endless {
    public static int loop() {
        int count = 0;
        while (true) {
            count++;
        }
    }

    public static int stubborn() {
        int count = 0;
        for (;;) {
            try {
                count++;
            } catch (Throwable ignored) {
                count--;
            }
        }
    }

    public static int recurse(int depth) {
        return recurse(depth + 1) + 1;
    }

    public static int hoard() {
        List<Object> all = new ArrayList<Object>();
        while (true) {
            all.add(new byte[100000]);
        }
    }

    public static int hoardSmall() {
        List<Object> all = new ArrayList<Object>();
        while (true) {
            all.add(new Object[50]);
        }
    }

    /** Small objects that only the class library makes. */
    public static int hoardInLibrary() {
        return java.util.stream.LongStream.range(0, Long.MAX_VALUE).boxed().collect(java.util.stream.Collectors.toCollection(java.util.LinkedList::new)).size();
    }

    public static int hugeArray() {
        return new long[Integer.MAX_VALUE - 8].length;
    }

    /** An array that only the class library makes. */
    public static int hugeLibraryArray() {
        return new ArrayList<Object>(Integer.MAX_VALUE - 8).size();
    }

    /** A loop that only the class library runs. */
    public static String libraryLoop() {
        return java.math.BigInteger.valueOf(3).pow(200000000).toString();
    }

    public static void sleep() throws InterruptedException {
        Thread.sleep(1000000000);
    }

    public static void await() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    public static void deadlock() throws InterruptedException {
        final Object one = new Object();
        final Object two = new Object();
        final CountDownLatch both = new CountDownLatch(2);
        Thread other = new Thread() {
            @Override
            public void run() {
                synchronized (two) {
                    both.countDown();
                    synchronized (one) {
                        both.countDown();
                    }
                }
            }
        };
        synchronized (one) {
            other.start();
            both.countDown();
            both.await();
            synchronized (two) {
                both.countDown();
            }
        }
    }

    public static int input() throws java.io.IOException {
        return System.in.read();
    }

    /** Waits for something that never comes, and whoever interrupts it must know that it goes on. */
    public static synchronized void awaitStubbornly() {
        while (true) {
            try {
                Endless.class.wait();
            } catch (InterruptedException again) {
                continue;
            }
        }
    }
}
