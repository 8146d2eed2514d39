package literals;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

@SuppressWarnings({"rawtypes", "unchecked"})
class EverythingTest {
    @Test
    void aByte_minus128_returnsMinus128() {
        byte byteValue = Everything.aByte((byte) -128);
        assertEquals((byte) -128, byteValue);
    }

    @Test
    void aChar_specialChar_returnsSpecialChar() {
        char charValue = Everything.aChar('\\');
        assertEquals('\\', charValue);
    }

    @Test
    void aChar_specialChar_returnsSpecialChar_2() {
        char charValue = Everything.aChar('\ud800');
        assertEquals('\ud800', charValue);
    }

    @Test
    void aDouble_infinity_returnsInfinity() {
        double doubleValue = Everything.aDouble(Double.POSITIVE_INFINITY);
        assertEquals(Double.POSITIVE_INFINITY, doubleValue, 1e-9);
    }

    @Test
    void aDouble_negativeNumber_returnsNegativeNumber() {
        double doubleValue = Everything.aDouble(-1e300);
        assertEquals(-1e300, doubleValue, 1e291);
    }

    @Test
    void aFloat_fraction_returnsFraction() {
        float floatValue = Everything.aFloat(0.1f);
        assertEquals(0.1f, floatValue, 1e-6f);
    }

    @Test
    void aLong_maxLong_returnsMaxLong() {
        long longValue = Everything.aLong(Long.MAX_VALUE);
        assertEquals(Long.MAX_VALUE, longValue);
    }

    @Test
    void aShort_300_returns300() {
        short shortValue = Everything.aShort((short) 300);
        assertEquals((short) 300, shortValue);
    }

    @Test
    void doubles_number_returnsDoubleArray() {
        double[] doubleArray = Everything.doubles(2.5);
        assertArrayEquals(new double[] {2.5, Double.NaN}, doubleArray, 1e-9);
    }

    @Test
    void grid_noArguments_returnsIntArrayArray() {
        int[][] intArrayArray = Everything.grid();
        assertEquals(2, intArrayArray.length);
    }

    @Test
    void not_false_returnsTrue() {
        boolean booleanValue = Everything.not(false);
        assertTrue(booleanValue);
    }

    @Test
    void not_true_returnsFalse() {
        boolean booleanValue = Everything.not(true);
        assertFalse(booleanValue);
    }

    @Test
    void show_trueAndMinus1AndMore_returnsUnicodeString() {
        String string = Everything.show(true, (byte) -1, '\'', (short) 2, Integer.MAX_VALUE, Long.MIN_VALUE, 1.5f, Double.MIN_VALUE, "a\"\n\\\u00e9");
        assertEquals("true -1 ' 2 2147483647 -9223372036854775808 1.5 4.9E-324 a\"\n\\\u00e9", string);
    }

    @Test
    void type_noArguments_returnsClass() {
        Class classValue = Everything.type();
        assertEquals(int[].class, classValue);
    }

    @Test
    void words_string_returnsStringArray() {
        String[] stringArray = Everything.words("a b");
        assertArrayEquals(new String[] {"a", "b"}, stringArray);
    }
}
