package shapes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class OuterInnerTest {
    @Test
    void sum_newInner_returns5() {
        Outer outer = new Outer(2);
        Outer.Inner inner = outer.new Inner(3);
        int intValue = inner.sum();
        assertEquals(5, intValue);
    }
}
