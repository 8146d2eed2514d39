package bank;

import java.util.Objects;

/** An amount in a currency, in hundredths. */
public final class Money implements Comparable<Money> {
    private final long cents;
    private final Currency currency;

    public Money(long cents, Currency currency) {
        this.cents = cents;
        this.currency = Objects.requireNonNull(currency, "currency");
    }

    /** Reads texts such as {@code 12.50 EUR}. */
    public static Money parse(String text) {
        String[] parts = text.trim().split(" ");
        if (parts.length != 2) {
            throw new IllegalArgumentException("expected an amount and a currency: " + text);
        }
        String amount = parts[0];
        boolean negative = amount.startsWith("-");
        if (negative) {
            amount = amount.substring(1);
        }
        int point = amount.indexOf('.');
        long cents;
        if (point < 0) {
            cents = Long.parseLong(amount) * 100;
        } else {
            String fraction = amount.substring(point + 1);
            if (fraction.length() > 2) {
                throw new IllegalArgumentException("too many digits: " + text);
            }
            cents = Long.parseLong(amount.substring(0, point)) * 100;
            long part = Long.parseLong(fraction);
            // A fault, left on purpose: "1.5" is one and fifty hundredths, not one and five.
            cents += part;
        }
        return new Money(negative ? -cents : cents, Currency.valueOf(parts[1]));
    }

    public long cents() {
        return cents;
    }

    public Currency currency() {
        return currency;
    }

    public boolean isNegative() {
        return cents < 0;
    }

    public Money plus(Money other) {
        return new Money(cents + other.inCurrency(currency).cents, currency);
    }

    public Money minus(Money other) {
        return plus(other.negated());
    }

    public Money negated() {
        return new Money(-cents, currency);
    }

    public Money times(int factor) {
        return new Money(Math.multiplyExact(cents, (long) factor), currency);
    }

    /** The same value in another currency, rounded down. */
    public Money inCurrency(Currency wanted) {
        if (wanted == currency) {
            return this;
        }
        return new Money(cents * currency.perThousand() / wanted.perThousand(), wanted);
    }

    @Override
    public int compareTo(Money other) {
        return Long.compare(cents, other.inCurrency(currency).cents);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Money)) {
            return false;
        }
        Money money = (Money) other;
        // A fault, left on purpose: amounts of different currencies can be equal, and their hash codes then differ.
        return money.inCurrency(currency).cents == cents;
    }

    @Override
    public int hashCode() {
        return Objects.hash(cents, currency);
    }

    @Override
    public String toString() {
        long positive = Math.abs(cents);
        String sign = cents < 0 ? "-" : "";
        return sign + positive / 100 + "." + (positive % 100 < 10 ? "0" : "") + positive % 100 + " " + currency;
    }
}
