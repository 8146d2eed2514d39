package shapes;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class OuterNamedTest {
    @Test
    public void nameOf_null_returnsNothing() {
        String string = Outer.Named.nameOf(null);
        assertEquals("nothing", string);
    }
}
