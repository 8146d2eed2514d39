package counting;

import static org.junit.Assert.assertTrue;

import java.lang.management.ManagementFactory;
import org.junit.Test;

public class SlowTest {
    private static long used() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1000000;
    }

    /** Works for less than half a second and rests for longer, as every test does on a busy machine. */
    @Test
    public void worksAndRests() throws Exception {
        long start = used();
        while (used() < start + 400) {
            long before = used();
            while (used() < before + 10) {
                assertTrue(new Counter().add(1) == 1);
            }
            Thread.sleep(20);
        }
    }
}
