package clash;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertNotNull;

@SuppressWarnings({"rawtypes", "unchecked"})
public class ListTest {
    @org.junit.Test
    public void other_newList_returnsArrayList() {
        List list = new List();
        java.util.List list2 = list.other();
        assertArrayEquals(new Object[] {"x"}, list2.toArray());
    }

    @org.junit.Test
    public void test_newList_returnsTest() {
        List list = new List();
        Test test = list.test();
        assertNotNull(test);
    }
}
