package members;

import java.io.IOException;

public class Members {
    public static final int LIMIT = 7;
    public static final Members SHARED = new Members();
    public int count;
    protected String name;
    private long hidden;

    public Members() {
    }

    protected Members(int count, String name) {
        this.count = count;
        this.name = name;
    }

    private Members(long hidden) {
        this.hidden = hidden;
    }

    public int total(int more, int... rest) throws IOException {
        int sum = more;
        for (int one : rest) {
            sum += one;
        }
        if (sum < 0) {
            throw new IOException();
        }
        return sum;
    }

    static Members of(Package owner) {
        return SHARED;
    }

    void quiet(Object anything) {
    }

    private void secret() {
    }

    @Deprecated
    public void old() {
    }

    public static void main(String[] args) {
        new Members(1L).secret();
    }

    @Override
    protected void finalize() {
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Members;
    }

    @Override
    public int hashCode() {
        return 1;
    }

    public Runnable later() {
        return () -> quiet(null);
    }
}
