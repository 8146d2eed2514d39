package testhound.rt;

import java.nio.MappedByteBuffer;

/**
 * Sees threads that a test leaves behind, wakes tests that wait for something that never comes, and stops tests that allocate
 * too much: those in the subject's code by their budget, those in the class library by asking the Rust side for the worker's
 * end, before the heap is full and collecting garbage takes all the time.
 *
 * A test that waits without end is interrupted rather than killed with the worker: blocking calls are common in libraries. Only
 * one that goes on waiting in spite of that ends the worker.
 */
final class Threads {
    /** Daemon threads that wait and do nothing are borne, up to this number; libraries start such for good. */
    private static final int BORNE = 8;
    /** Milliseconds between two looks at the test. */
    private static final int LOOK = 50;
    /** Looks in a row at a waiting test until it is interrupted, until its budget is taken, and until all that was in vain. */
    private static final int WAITS = 4;
    private static final int WAITS_AGAIN = 8;
    private static final int IN_VAIN = 12;
    /** Milliseconds that threads get to end after a test. */
    private static final int GRACE = 200;
    /** How often a test lets other threads go ahead, and how often it looks whether there are any. */
    private static final int PAUSES = 40;
    private static final int LOOKS = 4000;

    private final ThreadGroup group;
    private final Thread test;
    /** Whether counting the threads of a group looks at all threads of the process, as from Java 19 on. */
    private final boolean countsAll = Double.parseDouble(System.getProperty("java.specification.version")) >= 19;
    /** Bytes that a test may allocate while it is watched, whether or not it keeps them. */
    private final long most = Runtime.getRuntime().maxMemory() / 2;
    private final MappedByteBuffer marker;
    private Allocation allocation;
    private boolean asked;
    private int borne;
    private long last;
    /** The number of the running test, 0 between tests. Read by the watching thread without a lock; late is good enough. */
    int running;
    /** The test that was interrupted. */
    volatile int woken;
    private int pauses;
    private int looks;

    Threads(Thread test, MappedByteBuffer marker) {
        this.test = test;
        this.marker = marker;
        group = test.getThreadGroup();
        last = number();
        Thread watch = new Thread(group.getParent(), "testhound watch") {
            @Override
            public void run() {
                watch();
            }
        };
        watch.setDaemon(true);
        watch.start();
        last = number();
    }

    /** Threads are numbered as they are made, so the number of a new one tells whether others were made. */
    private long number() {
        return new Thread(group, null, "number", 0).getId();
    }

    /** Whether all threads that the test made are gone, or harmless. Takes the way that is cheap here. */
    boolean settled() {
        if (!countsAll) {
            return group.activeCount() == 1 + borne || endOrWait();
        }
        long number = number();
        boolean none = number == last + 1;
        last = number;
        return none || borne == 0 && group.activeCount() <= 1 || endOrWait();
    }

    private boolean endOrWait() {
        long end = System.nanoTime() + GRACE * 1000000L;
        int waiting = 0;
        Thread[] threads = new Thread[group.activeCount() + 16];
        int count = group.enumerate(threads);
        for (int i = 0; i < count; i++) {
            Thread thread = threads[i];
            if (thread == test) {
                continue;
            }
            while (thread.isAlive() && !harmless(thread) && System.nanoTime() < end) {
                try {
                    thread.join(5);
                } catch (InterruptedException again) {
                    // The interruption was meant for the test.
                }
            }
            if (thread.isAlive()) {
                if (!harmless(thread)) {
                    return false;
                }
                waiting++;
            }
        }
        borne = waiting;
        last = number();
        return waiting <= BORNE;
    }

    /** Begins a test that lets threads go ahead which it starts. */
    void fallBehind() {
        pauses = PAUSES;
        looks = LOOKS;
    }

    /** Waits a moment if there are other threads, so that a race which the test usually wins is lost for once. */
    void letAhead() {
        if (pauses == 0 || looks == 0 || Thread.currentThread() != test) {
            return;
        }
        looks--;
        if (group.activeCount() > 1 + borne) {
            pauses--;
            try {
                Thread.sleep(1);
            } catch (InterruptedException meant) {
                test.interrupt();
            }
        }
    }

    private static boolean harmless(Thread thread) {
        Thread.State state = thread.getState();
        return thread.isDaemon() && (state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING);
    }

    private long allocated() {
        if (!asked) {
            asked = true;
            allocation = Allocation.open();
        }
        return allocation == null ? 0 : allocation.of(test);
    }

    private void stop(boolean again) {
        Probes.exhaust();
        if (again) {
            marker.putInt(8, marker.getInt(4) + 1);
        }
    }

    private void watch() {
        int seen = 0;
        int looks = 0;
        long before = 0;
        boolean exhausted = false;
        while (true) {
            try {
                Thread.sleep(LOOK);
            } catch (InterruptedException ignored) {
                continue;
            }
            int now = running;
            Thread.State state = test.getState();
            boolean waits = state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING || state == Thread.State.BLOCKED;
            looks = now != 0 && now == seen && waits ? looks + 1 : 0;
            if (now != seen) {
                before = -1;
                exhausted = false;
            } else if (now != 0) {
                long bytes = allocated();
                before = before < 0 ? bytes : before;
                if (bytes - before > most && now == running) {
                    stop(exhausted);
                    exhausted = true;
                }
            }
            seen = now;
            if (looks >= WAITS_AGAIN && now == running) {
                stop(looks >= IN_VAIN);
            }
            if (looks >= WAITS) {
                woken = now;
                test.interrupt();
            }
        }
    }
}
