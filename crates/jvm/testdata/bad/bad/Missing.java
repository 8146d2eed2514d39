package bad;

/** Deleted after compilation. */
public class Missing {
    public int number = 1;
}
