import java.util.Date;
import java.util.Random;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/** Calls that would end the process or change from run to run, as code and as references. */
public class Redirected {
    static class Seeded extends Random {
        Seeded() {
            super();
        }
    }

    public static void main(String[] arguments) {
        attempt(status -> System.exit(status));
        attempt(System::exit);
        attempt(Runtime.getRuntime()::exit);
        attempt(status -> Runtime.getRuntime().halt(status));
        LongSupplier clock = System::currentTimeMillis;
        System.out.println(clock.getAsLong() + " " + System.nanoTime());
        System.out.println(new Date().getTime() + " " + Math.random());
        System.out.println(new Random().nextInt() == new Random(42).nextInt());
        System.out.println(new Seeded().nextInt() == new Random(42).nextInt());
    }

    static void attempt(IntConsumer exit) {
        try {
            exit.accept(3);
            System.out.println("survived");
        } catch (IllegalStateException error) {
            System.out.println(error.getMessage());
        }
    }
}
