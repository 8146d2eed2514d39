package testhound.rt;

/** A test used up its budget. An error without a trace: code that catches it meets it again at its next tick. */
public final class OutOfBudget extends Error {
    private static final long serialVersionUID = 1;

    OutOfBudget() {
        super("out of budget", null, false, false);
    }
}
