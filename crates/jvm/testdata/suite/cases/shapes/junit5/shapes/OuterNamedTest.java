package shapes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class OuterNamedTest {
    @Test
    void nameOf_null_returnsNothing() {
        String string = Outer.Named.nameOf(null);
        assertEquals("nothing", string);
    }
}
