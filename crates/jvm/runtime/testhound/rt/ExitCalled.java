package testhound.rt;

/** The subject wanted to end the process. */
public final class ExitCalled extends Error {
    private static final long serialVersionUID = 1;

    ExitCalled() {
        super("exit", null, false, false);
    }
}
