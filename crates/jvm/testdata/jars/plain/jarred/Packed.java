package jarred;

/** In jars of several kinds. */
public class Packed {
    public static String version() {
        return "old";
    }
}
