package bad;

/** The class of a parameter is missing when it runs. */
public class Orphan {
    public static int alone(int number) {
        return number + 1;
    }

    public static int needs(Missing missing) {
        return missing.number;
    }

    public static int makes() {
        return new Missing().number;
    }
}
