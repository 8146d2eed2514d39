package clash;

public class Test {
    public java.lang.String name() {
        return "test";
    }
}
