package clash;

import static org.junit.Assert.assertEquals;

public class TestTest {
    @org.junit.Test
    public void name_newTest_returnsTest() {
        Test test = new Test();
        java.lang.String string = test.name();
        assertEquals("test", string);
    }
}
