/** Branches whose sides are counted one by one. */
public class Places {
    public static void main(String[] arguments) {
        for (int value = -1; value < 3; value++) {
            same(value);
            select(value);
            both(value > 0, value == 2);
        }
    }

    static void same(int value) {
        if (value > 0) {}
    }

    static int select(int value) {
        switch (value) {
            case 0:
            case 1:
                return 5;
            case 3:
                return 6;
            default:
                return 7;
        }
    }

    static int both(boolean first, boolean second) {
        return first && second ? 1 : 0;
    }
}
