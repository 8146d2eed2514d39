package shapes;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class OuterNestedTest {
    @Test
    public void color_newNested_returnsGREEN() {
        Outer.Nested nested = new Outer.Nested();
        Outer.Color color = nested.color();
        assertEquals(Outer.Color.GREEN, color);
    }

    @Test
    public void constructor_noArguments_creates() {
        Outer.Nested nested = new Outer.Nested();
        int intValue = nested.value;
        assertEquals(3, intValue);
    }
}
