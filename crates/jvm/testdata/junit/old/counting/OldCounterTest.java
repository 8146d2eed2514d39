package counting;

import static org.junit.Assert.assertEquals;

import org.junit.Ignore;
import org.junit.Test;

public class OldCounterTest {
    @Test
    public void adds() {
        assertEquals(3, new Counter().add(3));
    }

    @Test(expected = IllegalArgumentException.class)
    public void refuses() {
        new Counter().add(-1);
    }

    @Test
    public void fails() {
        assertEquals(4, new Counter().add(3));
    }

    @Test
    @Ignore
    public void isSkipped() {
        new Counter().add(3);
    }

    @Test
    public void exits() {
        System.exit(3);
    }

    @Test
    public void afterTheExit() {
        new Counter().add(3);
    }
}
