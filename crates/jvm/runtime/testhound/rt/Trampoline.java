package testhound.rt;

/** Calls operations by number. The Rust side emits the subclasses, into the packages of the subject. */
public abstract class Trampoline {
    /**
     * Calls an operation.
     *
     * @param operation its number in this trampoline
     * @param references the arguments that are objects, at the indices of their parameters
     * @param primitives the others, as bits; a primitive result is left at index 0
     * @return the result if it is an object, else null
     */
    public abstract Object call(int operation, Object[] references, long[] primitives) throws Throwable;
}
