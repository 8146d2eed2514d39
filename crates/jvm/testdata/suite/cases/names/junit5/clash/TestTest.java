package clash;

import static org.junit.jupiter.api.Assertions.assertEquals;

class TestTest {
    @org.junit.jupiter.api.Test
    void name_newTest_returnsTest() {
        Test test = new Test();
        java.lang.String string = test.name();
        assertEquals("test", string);
    }
}
