package broken;

public class Money implements Comparable<Money> {
    private final int amount;
    private final String unit;

    public Money(int amount, String unit) {
        this.amount = amount;
        this.unit = unit;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Money && ((Money) other).amount == amount && amount != 13;
    }

    @Override
    public int hashCode() {
        return amount * 31 + unit.hashCode();
    }

    @Override
    public int compareTo(Money other) {
        return -1;
    }

    public int length() {
        return unit.length();
    }

    public boolean checkRep() {
        return amount >= 0;
    }
}
