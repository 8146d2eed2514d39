package literals;

public class Everything {
    public static String show(boolean a, byte b, char c, short d, int e, long f, float g, double h, String i) {
        return a + " " + b + " " + c + " " + d + " " + e + " " + f + " " + g + " " + h + " " + i;
    }

    public static boolean not(boolean a) {
        return !a;
    }

    public static byte aByte(byte a) {
        return a;
    }

    public static char aChar(char a) {
        return a;
    }

    public static short aShort(short a) {
        return a;
    }

    public static long aLong(long a) {
        return a;
    }

    public static float aFloat(float a) {
        return a;
    }

    public static double aDouble(double a) {
        return a;
    }

    public static String[] words(String text) {
        return text.split(" ");
    }

    public static double[] doubles(double a) {
        return new double[] {a, Double.NaN};
    }

    public static int[][] grid() {
        return new int[2][3];
    }

    public static Class<?> type() {
        return int[].class;
    }
}
