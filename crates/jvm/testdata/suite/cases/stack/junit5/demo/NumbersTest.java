package demo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class NumbersTest {
    @Test
    void boxed_5_returns5() {
        Object object = Numbers.boxed(5);
        assertEquals(Integer.valueOf(5), object);
    }

    @Test
    void half_1_returnsFraction() {
        double doubleValue = Numbers.half(1.0);
        assertEquals(0.5, doubleValue, 1e-10);
    }

    @Test
    void half_nan_returnsNan() {
        double doubleValue = Numbers.half(Double.NaN);
        assertTrue(Double.isNaN(doubleValue));
    }

    @Test
    void number_1_returns7() {
        Number number = Numbers.number(1);
        assertEquals(Long.valueOf(7L), number);
    }

    @Test
    void number_zero_returnsFraction() {
        Number number = Numbers.number(0);
        assertEquals(0.5, ((Double) number).doubleValue(), 1e-10);
    }

    @Test
    void parse_emptyString_throwsNumberFormatException() {
        assertThrows(NumberFormatException.class, () -> Numbers.parse(""));
    }

    @Test
    void parse_null_throwsNullPointerException() {
        assertThrows(NullPointerException.class, () -> Numbers.parse(null));
    }

    @Test
    void parse_string_returns12() {
        int intValue = Numbers.parse(" 12 ");
        assertEquals(12, intValue);
    }

    @Test
    void sorted_intArray_returnsIntArray() {
        int[] intArray = new int[] {3, 1, Integer.MIN_VALUE};
        int[] intArray2 = Numbers.sorted(intArray);
        assertSame(intArray, intArray2);
        assertArrayEquals(new int[] {Integer.MIN_VALUE, 1, 3}, intArray);
    }
}
