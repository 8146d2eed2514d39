package ranges;

/** The whole numbers from a first to a last one, both included. */
public final class Range {
    private final int first;
    private final int last;

    public Range(int first, int last) {
        if (first > last) {
            throw new IllegalArgumentException("ends before it begins: " + first + " to " + last);
        }
        this.first = first;
        this.last = last;
    }

    public int first() {
        return first;
    }

    public int last() {
        return last;
    }

    public boolean contains(int number) {
        return first <= number && number <= last;
    }

    /** Whether some number is in both. */
    public boolean overlaps(Range other) {
        return first <= other.last && other.first <= last;
    }

    /** The numbers that are in both; null if there are none. */
    public Range cut(Range other) {
        if (!overlaps(other)) {
            return null;
        }
        return new Range(Math.max(first, other.first), Math.min(last, other.last));
    }

    /** The range moved by a distance; it stops at the largest and smallest number. */
    public Range moved(int distance) {
        return new Range(move(first, distance), move(last, distance));
    }

    private static int move(int number, int distance) {
        long moved = (long) number + distance;
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, moved));
    }

    @Override
    public String toString() {
        return first == last ? Integer.toString(first) : first + ".." + last;
    }
}
