package called;

public class Library {
    public static int four(int a) {
        int b = a + 1;
        int c = b * 2;
        int d = c - a;
        return d;
    }

    public static int six(int a) {
        int b = a + 1;
        return four(b);
    }
}
