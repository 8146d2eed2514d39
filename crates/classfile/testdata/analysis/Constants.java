package subject;

class Constants {
    enum Level { LOW, HIGH }

    static final int LIMIT = 40;
    static final String PREFIX = "pre" + LIMIT;
    static final long LATE = Long.valueOf(1) + 0;
    static final int[] NONE = {};
    static final int SUM;

    static {
        int half = 20;
        SUM = half * 2 + 2;
    }

    static int arithmetic(int x) {
        int base = 7;
        long wide = base * 6L;
        double part = 0.5 * base;
        return x > base * base ? (int) wide : (int) (part * 4);
    }

    static String joined(String name) {
        String greeting = "Hello";
        int number = 3;
        char mark = '!';
        String all = greeting + ", " + number + mark;
        return name == null ? all : name;
    }

    static String unknown(String name) {
        return "a" + name;
    }

    static int switched(int key, String text, Level level) {
        switch (key) {
            case -5:
                return 1;
            case 1000:
                return 2;
        }
        switch (text) {
            case "north":
                return 3;
        }
        return level == Level.HIGH ? 4 : 5;
    }

    static Class<?> literal() {
        return String.class;
    }

    static int field(int x) {
        return x + SUM;
    }

    static boolean typed(StringBuilder out, char[] letters) {
        out.append('x');
        letters[0] = 'y';
        return true;
    }

    static int looped(int n) {
        int i = 10;
        while (i < n) {
            i += 5;
        }
        return i + 1;
    }

    static String builders(boolean more) {
        StringBuilder text = new StringBuilder("ab");
        text.append("cd");
        if (more) {
            text.append("ef");
        }
        return text.append("gh").toString();
    }

    static int caught() {
        int x = 1;
        try {
            x = 2;
            Integer.parseInt("z");
            x = 3;
        } catch (RuntimeException e) {
            return x * 100;
        }
        return x * 10;
    }
}
