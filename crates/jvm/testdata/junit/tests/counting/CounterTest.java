package counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.util.stream.IntStream;
import java.util.stream.Stream;

class CounterTest {
    private Counter counter;

    @BeforeEach
    void makeCounter() {
        System.out.println("this must not disturb");
        counter = new Counter();
    }

    @Test
    void adds() {
        assertEquals(3, counter.add(3));
        assertEquals(7, counter.add(4));
    }

    @Test
    void refusesNegativeSteps() {
        assertThrows(IllegalArgumentException.class, () -> counter.add(-1));
    }

    @Test
    void onlyExecutes() {
        counter.add(200);
        counter.isLarge();
        counter.last();
    }

    @Test
    void loops() {
        assertEquals(3, counter.loop(3));
    }

    @Test
    void fails() {
        fail("on purpose");
    }

    @Test
    @Disabled
    void isSkipped() {
        fail("never run");
    }

    @TestFactory
    Stream<DynamicTest> dynamic() {
        return IntStream.range(0, 2).mapToObj(i -> DynamicTest.dynamicTest("add " + i, () -> assertEquals(i, counter.add(i))));
    }

    @Nested
    class Fresh {
        @Test
        void isNotLarge() {
            assertFalse(counter.isLarge());
        }
    }
}
