package shapes;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import org.junit.Test;

public class OuterTest {
    @Test
    public void join_stringAndNull_returnsNull() {
        String string = Outer.join("-", (String[]) null);
        assertNull(string);
    }

    @Test
    public void join_stringAndStringArray_returnsString() {
        String[] stringArray = new String[] {"a", "b"};
        String string = Outer.join(", ", stringArray);
        assertEquals("a, b", string);
        assertArrayEquals(new String[] {"a", "b"}, stringArray);
    }
}
