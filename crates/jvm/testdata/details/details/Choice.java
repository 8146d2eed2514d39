package details;

/** Conditions, a loop and a switch with two keys for one place. */
public class Choice {
    public static int pick(int a, int b) {
        int result = 0;
        for (int i = 0; i < 3; i++) {
            result += i;
        }
        if (a > 10) {
            result += 1;
        }
        if (b == 5) {
            result += 2;
        }
        switch (a) {
            case 1:
                return result;
            case 7:
            case 8:
                return result + 1;
            default:
                return result + 2;
        }
    }
}
