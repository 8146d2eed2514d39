package clash;

public class String {
    public java.lang.String plain() {
        return "plain";
    }
}
