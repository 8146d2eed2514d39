package bad;

/** Its superclass becomes final after compilation. */
public class Unlinked extends Parent {
    public static int value() {
        return 1;
    }
}
