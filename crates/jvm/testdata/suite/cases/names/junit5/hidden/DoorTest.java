package hidden;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;

@SuppressWarnings({"rawtypes", "unchecked"})
class DoorTest {
    @Test
    void gre_newDoor_returns2() {
        Door door = new Door();
        int intValue = door.gr\u00f6\u00dfe();
        assertEquals(2, intValue);
    }

    @Test
    void open_1_throwsLocked() {
        Door door = new Door();
        assertThrows(Door.Locked.class, () -> door.open(1));
    }

    @Test
    void open_2_throwsIOException() {
        Door door = new Door();
        assertThrows(IOException.class, () -> door.open(2));
    }

    @Test
    void open_zero_returns() throws Door.Locked, IOException {
        Door door = new Door();
        door.open(0);
    }

    @Test
    void secret_newDoor_returnsSecret() {
        Door door = new Door();
        Comparable comparable = door.secret();
        assertEquals("secret", comparable.toString());
    }
}
