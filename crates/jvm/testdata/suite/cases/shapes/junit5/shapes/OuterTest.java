package shapes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class OuterTest {
    @Test
    void join_stringAndNull_returnsNull() {
        String string = Outer.join("-", (String[]) null);
        assertNull(string);
    }

    @Test
    void join_stringAndStringArray_returnsString() {
        String[] stringArray = new String[] {"a", "b"};
        String string = Outer.join(", ", stringArray);
        assertEquals("a, b", string);
        assertArrayEquals(new String[] {"a", "b"}, stringArray);
    }
}
