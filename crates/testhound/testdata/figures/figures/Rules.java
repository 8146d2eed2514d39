package figures;

/** Judges by what subclasses say, of which there are none; weighs by a scale that nobody has; and names classes. */
public abstract class Rules implements Comparable<Rules> {
    private final int least;

    protected Rules(int least) {
        this.least = least;
    }

    protected abstract boolean holds(Object value, int weight);

    abstract Object pick(Object first, Object second);

    public String judge(Object value) {
        if (holds(value, least)) {
            return "holds";
        }
        return pick("one", value) == null ? "nothing" : "something";
    }

    public int rank(Rules other) {
        return compareTo(other) == 0 ? 0 : 1;
    }

    /** A scale. */
    public interface Scale {
        long weigh(Object thing);
    }

    public static String weigh(Scale scale, Object thing) {
        return scale.weigh(thing) == 0 ? "light" : "heavy";
    }

    public static String kindOf(Class<?> kind) {
        return kind.isInterface() ? "interface" : "class";
    }
}
