package subject;

/** Runs parts of the other classes, so that some of every shape is covered and some is not. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
        Shapes shapes = new Shapes(3);
        shapes.loops(4);
        Shapes.choose(2);
        Shapes.choose(7);
        Shapes.text("two");
        Shapes.text("Aa");
        Shapes.same(1);
        shapes.guarded(false);
        try {
            shapes.guarded(true);
        } catch (IllegalStateException expected) {
            shapes.lambdas().run();
        }
        shapes.nested(1, 2);
        shapes.nested(-1, 2);
        Shapes.throwsInTheMiddle(null);
        Resources.one("a");
        Resources.two();
        Resources.returning(true);
        try {
            Resources.failing();
        } catch (Exception expected) {
            Resources.locked(new Object());
        }
        Kinds.of(Kinds.Colour.RED);
        Kinds.Colour.valueOf("GREEN");
        new Kinds.Generic<String>().compareTo("x");
        assert arguments.length == 0 : "no arguments";
        Kinds.Marked.unused();
        if (arguments.length > 0) return;
        throw new UnsupportedOperationException("the end");
    }
}
