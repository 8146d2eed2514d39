package bad;

/** Replaced after compilation. */
public class Parent {}
