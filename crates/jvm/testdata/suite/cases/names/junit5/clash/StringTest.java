package clash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class StringTest {
    @Test
    void plain_newString_returnsPlain() {
        String string = new String();
        java.lang.String string2 = string.plain();
        assertEquals("plain", string2);
    }
}
