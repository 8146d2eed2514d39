package subject;

/** Shapes of control flow; tests name lines by the comments. */
class Flows {
    static int arms(int a) {
        int b = 0;
        if (a > 0) { // condition
            b = 1; // then
        } else {
            b = 2; // else
        }
        return b; // join
    }

    static int loop(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) { // outer
            for (int j = 0; j < i; j++) { // inner
                sum += j; // body
            }
        }
        return sum; // after
    }

    static void endless(boolean go) {
        while (true) {
            if (go) { // asked
                System.nanoTime(); // asked-for
            }
        }
    }

    static int caught(String text) {
        try {
            return Integer.parseInt(text); // parse
        } catch (NumberFormatException e) {
            return -1; // handler
        }
    }

    static String chosen(int key) {
        switch (key) { // switch
            case 1:
                return "one"; // one
            case 2:
            case 3:
                return "few"; // few
            default:
                return "many"; // many
        }
    }
}
