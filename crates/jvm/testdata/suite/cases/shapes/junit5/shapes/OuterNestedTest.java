package shapes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class OuterNestedTest {
    @Test
    void color_newNested_returnsGREEN() {
        Outer.Nested nested = new Outer.Nested();
        Outer.Color color = nested.color();
        assertEquals(Outer.Color.GREEN, color);
    }

    @Test
    void constructor_noArguments_creates() {
        Outer.Nested nested = new Outer.Nested();
        int intValue = nested.value;
        assertEquals(3, intValue);
    }
}
