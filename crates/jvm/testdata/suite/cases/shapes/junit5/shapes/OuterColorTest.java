package shapes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class OuterColorTest {
    @Test
    void next_ofRED_returnsGREEN() {
        Outer.Color color = Outer.Color.RED.next();
        assertEquals(Outer.Color.GREEN, color);
    }
}
