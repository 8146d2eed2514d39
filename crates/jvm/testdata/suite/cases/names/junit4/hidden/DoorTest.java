package hidden;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import org.junit.Test;

@SuppressWarnings({"rawtypes", "unchecked"})
public class DoorTest {
    @Test
    public void gre_newDoor_returns2() {
        Door door = new Door();
        int intValue = door.gr\u00f6\u00dfe();
        assertEquals(2, intValue);
    }

    @Test
    public void open_1_throwsLocked() {
        Door door = new Door();
        assertThrows(Door.Locked.class, () -> door.open(1));
    }

    @Test
    public void open_2_throwsIOException() {
        Door door = new Door();
        assertThrows(IOException.class, () -> door.open(2));
    }

    @Test
    public void open_zero_returns() throws Door.Locked, IOException {
        Door door = new Door();
        door.open(0);
    }

    @Test
    public void secret_newDoor_returnsSecret() {
        Door door = new Door();
        Comparable comparable = door.secret();
        assertEquals("secret", comparable.toString());
    }
}
