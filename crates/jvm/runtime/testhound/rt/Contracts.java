package testhound.rt;

import java.lang.reflect.Method;

/**
 * The contracts that every Java object promises, checked on the values of a test after it ran.
 *
 * Only classes of the subject are looked at. What a check hits or costs is not part of the test.
 */
final class Contracts {
    // The numbers are those of `Contract` on the Rust side.
    private static final int EQUALS_REFLEXIVE = 0;
    private static final int EQUALS_SYMMETRIC = 1;
    private static final int EQUALS_TRANSITIVE = 2;
    private static final int EQUALS_NULL = 3;
    private static final int HASH_CODE_CONSISTENT = 4;
    private static final int HASH_CODE_RETURNS = 5;
    private static final int TO_STRING_RETURNS = 6;
    private static final int COMPARE_TO_REFLEXIVE = 7;
    private static final int COMPARE_TO_ANTISYMMETRIC = 8;
    private static final int COMPARE_TO_TRANSITIVE = 9;
    private static final int COMPARE_TO_CONSISTENT = 10;
    private static final int CLONE_DIFFERS = 11;
    private static final int CHECK_REP = 12;

    /** Values of one test that are looked at; pairs and triples of them are. */
    private static final int MOST = 4;

    private final Executor executor;
    private final Out out;
    /** Operations that check the state of their receiver. */
    private final int[] checks;
    /** The classes that have these operations, once they were asked for. */
    private final Class<?>[] owners;
    private final Object[] subjects = new Object[MOST];
    private final int[] steps = new int[MOST];
    private int found;
    private int violations;
    private int countAt;

    Contracts(Executor executor, Out out, int[] checks) {
        this.executor = executor;
        this.out = out;
        this.checks = checks;
        owners = new Class<?>[checks.length];
    }

    /** Checks the values of the steps and writes what is violated; false, and nothing written, if nothing is. */
    boolean check(int count) {
        choose(count);
        if (found == 0) {
            return false;
        }
        int start = out.at;
        violations = 0;
        countAt = start;
        out.u8(0);
        for (int i = 0; i < found; i++) {
            Probes.budget = Settings.ticks;
            alone(i);
        }
        for (int i = 0; i < found; i++) {
            for (int j = i + 1; j < found; j++) {
                Probes.budget = Settings.ticks;
                pair(i, j);
                for (int k = j + 1; k < found; k++) {
                    triple(i, j, k);
                }
            }
        }
        if (checks.length > 0) {
            // A step may have changed any of the values, not only the latest.
            for (int step = 0; step < count; step++) {
                rep(step);
            }
        }
        for (int i = 0; i < found; i++) {
            subjects[i] = null;
        }
        if (violations == 0) {
            out.at = start;
            return false;
        }
        out.bytes[countAt] = (byte) violations;
        return true;
    }

    /** The latest values first: earlier ones were looked at when the test was shorter. */
    private void choose(int count) {
        found = 0;
        for (int step = count - 1; step >= 0 && found < MOST; step--) {
            Object value = executor.values[step];
            if (value == null || !executor.classes.get(value.getClass()).own) {
                continue;
            }
            boolean known = false;
            for (int i = 0; i < found; i++) {
                known |= subjects[i] == value;
            }
            if (!known) {
                subjects[found] = value;
                steps[found++] = step;
            }
        }
    }

    private void broke(int contract, Throwable thrown, int operation, int[] which) {
        boolean notItsFault = thrown instanceof VirtualMachineError || thrown instanceof OutOfBudget || thrown instanceof ThreadDeath || thrown instanceof ExitCalled;
        if (notItsFault || violations == 100) {
            return;
        }
        violations++;
        out.u8(contract);
        out.u8(which.length);
        for (int index : which) {
            out.varint(steps[index]);
        }
        executor.classes.write(executor.classes.get(subjects[which[0]].getClass()), out);
        out.varint(operation + 1);
        out.text(thrown == null ? "" : executor.ownFrame(thrown));
        out.text(thrown == null ? "" : thrown.getClass().getName());
    }

    private void violated(int contract, Throwable thrown, int... which) {
        broke(contract, thrown, -1, which);
    }

    private void alone(int i) {
        Object one = subjects[i];
        try {
            if (one.equals(null)) {
                violated(EQUALS_NULL, null, i);
            }
        } catch (Throwable thrown) {
            violated(EQUALS_NULL, thrown, i);
        }
        try {
            if (!one.equals(one)) {
                violated(EQUALS_REFLEXIVE, null, i);
            }
        } catch (Throwable thrown) {
            violated(EQUALS_REFLEXIVE, thrown, i);
        }
        try {
            one.hashCode();
        } catch (Throwable thrown) {
            violated(HASH_CODE_RETURNS, thrown, i);
        }
        try {
            one.toString();
        } catch (Throwable thrown) {
            violated(TO_STRING_RETURNS, thrown, i);
        }
        if (one instanceof Comparable) {
            try {
                if (compare(one, one) != 0) {
                    violated(COMPARE_TO_REFLEXIVE, null, i);
                }
            } catch (Throwable thrown) {
                violated(COMPARE_TO_REFLEXIVE, thrown, i);
            }
        }
        if (one instanceof Cloneable) {
            copy(i);
        }
    }

    private void copy(int i) {
        Object one = subjects[i];
        try {
            Method method = one.getClass().getMethod("clone");
            method.setAccessible(true);
            if (method.invoke(one) == one) {
                violated(CLONE_DIFFERS, null, i);
            }
        } catch (Throwable notCallable) {
            // Not public, or it refuses.
        }
    }

    /** Lets the value of a step check itself, unless an earlier step gave it, too. */
    private void rep(int step) {
        Object one = executor.values[step];
        if (one == null || !executor.classes.get(one.getClass()).own) {
            return;
        }
        for (int earlier = 0; earlier < step; earlier++) {
            if (executor.values[earlier] == one) {
                return;
            }
        }
        // The first place of the chosen values is free by now.
        subjects[0] = one;
        steps[0] = step;
        for (int i = 0; i < checks.length; i++) {
            Probes.budget = Settings.ticks;
            try {
                if (owners[i] == null) {
                    owners[i] = executor.owner(checks[i]);
                }
                if (!owners[i].isInstance(one)) {
                    continue;
                }
                executor.observe(checks[i], one);
                if (executor.resultOf(checks[i]) == 'Z' && executor.primitiveResult() == 0) {
                    broke(CHECK_REP, null, checks[i], new int[] {0});
                }
            } catch (Throwable thrown) {
                broke(CHECK_REP, thrown, checks[i], new int[] {0});
            }
        }
    }

    private void pair(int i, int j) {
        Object one = subjects[i];
        Object other = subjects[j];
        boolean equal;
        try {
            equal = one.equals(other);
            if (equal != other.equals(one)) {
                violated(EQUALS_SYMMETRIC, null, i, j);
            } else if (equal && one.hashCode() != other.hashCode()) {
                violated(HASH_CODE_CONSISTENT, null, i, j);
            }
        } catch (Throwable thrown) {
            violated(EQUALS_SYMMETRIC, thrown, i, j);
            return;
        }
        if (one instanceof Comparable && one.getClass() == other.getClass()) {
            try {
                int forth = compare(one, other);
                if (Integer.signum(forth) != -Integer.signum(compare(other, one))) {
                    violated(COMPARE_TO_ANTISYMMETRIC, null, i, j);
                } else if (equal != (forth == 0)) {
                    violated(COMPARE_TO_CONSISTENT, null, i, j);
                }
            } catch (Throwable allowed) {
                // Not all values of a class can be compared with each other.
            }
        }
    }

    private void triple(int i, int j, int k) {
        int[][] orders = {{i, j, k}, {j, i, k}, {i, k, j}};
        for (int[] order : orders) {
            Object a = subjects[order[0]];
            Object b = subjects[order[1]];
            Object c = subjects[order[2]];
            try {
                if (a.equals(b) && b.equals(c) && !a.equals(c)) {
                    violated(EQUALS_TRANSITIVE, null, order[0], order[1], order[2]);
                }
                boolean comparable = a instanceof Comparable && a.getClass() == b.getClass() && b.getClass() == c.getClass();
                if (comparable && compare(a, b) <= 0 && compare(b, c) <= 0 && compare(a, c) > 0) {
                    violated(COMPARE_TO_TRANSITIVE, null, order[0], order[1], order[2]);
                }
            } catch (Throwable seenInPairs) {
                // Pairs have reported it where it is a violation.
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static int compare(Object one, Object other) {
        return ((Comparable<Object>) one).compareTo(other);
    }
}
