package known;

public class Middle {
    static final int DOUBLE = 2 * Zeta.SIZE;
}
