package clash;

public class List {
    public java.util.List<java.lang.String> other() {
        return new java.util.ArrayList<>(java.util.Arrays.asList("x"));
    }

    public Test test() {
        return new Test();
    }
}
