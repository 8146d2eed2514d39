package bad;

/** As it is when the others run. */
public final class Parent {}
