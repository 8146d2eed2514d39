package shapes;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class OuterColorTest {
    @Test
    public void next_ofRED_returnsGREEN() {
        Outer.Color color = Outer.Color.RED.next();
        assertEquals(Outer.Color.GREEN, color);
    }
}
