package broken;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MoneyErrorTest {
    // fails: equals is not reflexive
    @Test
    void constructor_13AndEUR_violatesEqualsReflexive() {
        Money money = new Money(13, "EUR");
        assertTrue(money.equals(money));
    }

    // fails: hashCode throws
    @Test
    void constructor_1AndNull_hashCodeThrows() {
        Money money = new Money(1, null);
        money.hashCode();
    }

    // fails: equal objects have different hash codes
    @Test
    void constructor_1AndUSD_violatesHashCodeConsistent() {
        Money money = new Money(1, "EUR");
        Money money2 = new Money(1, "USD");
        assertTrue(money.equals(money2));
        assertEquals(money.hashCode(), money2.hashCode());
    }

    // fails: compareTo does not change its sign
    @Test
    void constructor_2AndEUR_violatesCompareToAntisymmetric() {
        Money money = new Money(1, "EUR");
        Money money2 = new Money(2, "EUR");
        assertEquals(Integer.signum(money.compareTo(money2)), -Integer.signum(money2.compareTo(money)));
    }

    // fails: checkRep does not hold
    @Test
    void constructor_minus1AndEmptyString_violatesCheckRep() {
        Money money = new Money(-1, "");
        assertTrue(money.checkRep());
    }

    // fails: java.lang.NullPointerException in /u broken.Money.length
    @Test
    void length_newMoney_failsWithNullPointerException() {
        Money money = new Money(1, null);
        money.length();
    }
}
