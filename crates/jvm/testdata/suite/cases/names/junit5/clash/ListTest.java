package clash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

@SuppressWarnings({"rawtypes", "unchecked"})
class ListTest {
    @org.junit.jupiter.api.Test
    void other_newList_returnsArrayList() {
        List list = new List();
        java.util.List list2 = list.other();
        assertArrayEquals(new Object[] {"x"}, list2.toArray());
    }

    @org.junit.jupiter.api.Test
    void test_newList_returnsTest() {
        List list = new List();
        Test test = list.test();
        assertNotNull(test);
    }
}
