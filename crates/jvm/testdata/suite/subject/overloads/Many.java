package overloads;

import java.util.ArrayList;

public class Many {
    public static String of(Object a) {
        return "object";
    }

    public static String of(String a) {
        return "string";
    }

    public static String of(Integer a) {
        return "integer";
    }

    public static String of(int a) {
        return "int";
    }

    public static String of(long a) {
        return "long";
    }

    public static String of(char a) {
        return "char";
    }

    public static String two(Object a, String b) {
        return "object string";
    }

    public static String two(String a, Object b) {
        return "string object";
    }

    public static Object text() {
        return "text";
    }

    public static ArrayList<String> list() {
        return new ArrayList<>();
    }
}
