package clash;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class StringTest {
    @Test
    public void plain_newString_returnsPlain() {
        String string = new String();
        java.lang.String string2 = string.plain();
        assertEquals("plain", string2);
    }
}
