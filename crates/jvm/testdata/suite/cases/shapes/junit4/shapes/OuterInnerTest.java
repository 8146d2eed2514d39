package shapes;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class OuterInnerTest {
    @Test
    public void sum_newInner_returns5() {
        Outer outer = new Outer(2);
        Outer.Inner inner = outer.new Inner(3);
        int intValue = inner.sum();
        assertEquals(5, intValue);
    }
}
