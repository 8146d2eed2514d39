package bank;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** An account with a limit below which its balance cannot go. */
public class Account {
    private final String owner;
    private final Money limit;
    private final List<String> history = new ArrayList<>();
    private Money balance;
    private boolean closed;

    public Account(String owner, Currency currency) {
        this(owner, new Money(0, currency));
    }

    public Account(String owner, Money limit) {
        if (owner == null || owner.isEmpty()) {
            throw new IllegalArgumentException("an account has an owner");
        }
        this.owner = owner;
        this.limit = limit;
        this.balance = new Money(0, limit.currency());
    }

    public String owner() {
        return owner;
    }

    public Money balance() {
        return balance;
    }

    public boolean isClosed() {
        return closed;
    }

    public List<String> history() {
        return Collections.unmodifiableList(history);
    }

    public void deposit(Money amount) {
        requireOpen();
        if (amount.isNegative()) {
            throw new IllegalArgumentException("a deposit is not negative: " + amount);
        }
        balance = balance.plus(amount);
        history.add("+" + amount);
    }

    /** Takes money out; false where the limit forbids it. */
    public boolean withdraw(Money amount) {
        requireOpen();
        if (amount.isNegative()) {
            throw new IllegalArgumentException("a withdrawal is not negative: " + amount);
        }
        Money left = balance.minus(amount);
        if (left.compareTo(limit) < 0) {
            return false;
        }
        balance = left;
        history.add("-" + amount);
        return true;
    }

    public void close() {
        requireOpen();
        if (balance.isNegative()) {
            throw new IllegalStateException("the balance is negative: " + balance);
        }
        closed = true;
    }

    /** The last entry of the history. A fault, left on purpose: a new account has none. */
    public String lastEntry() {
        return history.get(history.size() - 1);
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the account is closed");
        }
    }
}
