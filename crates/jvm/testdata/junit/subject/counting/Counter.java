package counting;

/** A subject for suites: some of it is tested well, some is only executed, some is never reached. */
public class Counter {
    private int count;
    private String last = "";

    public int add(int step) {
        if (step < 0) {
            throw new IllegalArgumentException("negative");
        }
        count += step;
        last = "add " + step;
        return count;
    }

    public boolean isLarge() {
        return count > 100;
    }

    public String last() {
        return last;
    }

    public int untested(int a) {
        return a * 3;
    }

    public int loop(int times) {
        int sum = 0;
        for (int i = 0; i < times; i++) {
            sum += i;
        }
        return sum;
    }
}
