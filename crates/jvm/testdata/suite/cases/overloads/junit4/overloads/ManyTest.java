package overloads;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import org.junit.Test;

@SuppressWarnings({"rawtypes", "unchecked"})
public class ManyTest {
    @Test
    public void of_7_returnsInt() {
        String string = Many.of(7);
        assertEquals("int", string);
    }

    @Test
    public void of_7_returnsInteger() {
        String string = Many.of((Integer) 7);
        assertEquals("integer", string);
    }

    @Test
    public void of_7_returnsLong() {
        String string = Many.of(7L);
        assertEquals("long", string);
    }

    @Test
    public void of_chara_returnsChar() {
        String string = Many.of('a');
        assertEquals("char", string);
    }

    @Test
    public void of_emptyArrayList_returnsObject() {
        ArrayList arrayList = Many.list();
        String string = Many.of(arrayList);
        assertEquals("object", string);
        assertArrayEquals(new Object[] {}, arrayList.toArray());
    }

    @Test
    public void of_null_returnsObject() {
        String string = Many.of((Object) null);
        assertEquals("object", string);
    }

    @Test
    public void of_null_returnsString() {
        String string = Many.of((String) null);
        assertEquals("string", string);
    }

    @Test
    public void of_x_returnsObject() {
        String string = Many.of((Object) "x");
        assertEquals("object", string);
    }

    @Test
    public void of_x_returnsString() {
        String string = Many.of("x");
        assertEquals("string", string);
    }

    @Test
    public void two_aAndB_returnsString() {
        String string = Many.two((Object) "a", "b");
        assertEquals("object string", string);
    }

    @Test
    public void two_textAndB_returnsString() {
        Object object = Many.text();
        String string = Many.two((String) object, (Object) "b");
        assertEquals("string object", string);
        assertEquals("text", object);
    }
}
