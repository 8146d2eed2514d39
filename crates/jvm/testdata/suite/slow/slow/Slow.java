package slow;

import java.lang.management.ManagementFactory;

/** Works for less than half a second and rests for longer, as everything does on a busy machine. */
public class Slow {
    private static long used() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1000000;
    }

    public static int workAndRest() throws InterruptedException {
        long start = used();
        while (used() < start + 400) {
            long before = used();
            while (used() < before + 10) {
                continue;
            }
            Thread.sleep(20);
        }
        return 1;
    }
}
