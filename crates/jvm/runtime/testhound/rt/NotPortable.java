package testhound.rt;

/** A value means something else on another JDK, so that no test can be written with it. */
public final class NotPortable extends Error {
    private static final long serialVersionUID = 1;

    NotPortable() {
        super("not portable", null, false, false);
    }
}
