package demo;

public class Numbers {
    public static int parse(String text) {
        return Integer.parseInt(text.trim());
    }

    public static int[] sorted(int[] numbers) {
        java.util.Arrays.sort(numbers);
        return numbers;
    }

    public static double half(double number) {
        return number / 2;
    }

    public static Object boxed(int number) {
        return number;
    }

    public static Number number(int kind) {
        switch (kind) {
            case 0: return Double.valueOf(0.5);
            case 1: return Long.valueOf(7);
            default: return null;
        }
    }
}
