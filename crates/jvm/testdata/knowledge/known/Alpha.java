package known;

/** Named before the class that its constant is made from. */
public class Alpha {
    static final int NEXT = Middle.DOUBLE + 1;

    public int next() {
        return NEXT;
    }
}
