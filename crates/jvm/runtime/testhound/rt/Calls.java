package testhound.rt;

import java.io.File;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What takes the place of calls that would end the process or differ from run to run. Receivers come first.
 *
 * The clock stands still, and random numbers are the same in every test. In another world than the usual one, chance falls
 * differently, and the clock may show another time and go on whenever it is read: what written tests say must hold in all.
 */
public final class Calls {
    private static final long SEED = 0x7e57;
    /** Between two worlds: some months, and another hour, minute and second. */
    private static final long APART = ((131 * 24 + 5) * 60 + 7) * 60000L + 11013;

    /** Whether this test called an exit, even if it caught what that threw. */
    static boolean exited;
    private static Random random = new Random(SEED);
    private static boolean drawn;
    private static int world;
    private static long readings;

    private Calls() {}

    /** Begins a test. In worlds from 1 on chance falls differently, from 2 on the clock shows another time and goes on. */
    static void begin(int chosen) {
        exited = false;
        readings = 0;
        if (drawn || world != chosen) {
            world = chosen;
            random = new Random(seed());
            drawn = false;
        }
    }

    private static long clock() {
        return Settings.clock + world / 2 * APART + passed();
    }

    /** Milliseconds since the first look at the clock: between two looks at least one in world 2, more than a minute in later ones. */
    private static long passed() {
        if (world < 2) {
            return 0;
        }
        return readings++ * (world == 2 ? 1 : 61013);
    }

    /** Lets a file pass that means the same on every JDK: an empty path is the current folder on some, nothing on others. */
    public static File portable(File file) {
        if (file.getPath().isEmpty()) {
            throw new NotPortable();
        }
        return file;
    }

    private static Random draw() {
        drawn = true;
        return random;
    }

    public static void exit(int status) {
        exited = true;
        throw new ExitCalled();
    }

    public static void exit(Runtime runtime, int status) {
        exit(status);
    }

    public static void halt(Runtime runtime, int status) {
        exit(status);
    }

    public static long currentTimeMillis() {
        return clock();
    }

    public static long nanoTime() {
        return clock() * 1000000L;
    }

    public static long seed() {
        return SEED + world;
    }

    public static UUID randomUUID() {
        // Version and variant as in a random identifier.
        long most = draw().nextLong() & 0xffffffffffff0fffL | 0x4000L;
        long least = draw().nextLong() & 0x3fffffffffffffffL | 0x8000000000000000L;
        return new UUID(most, least);
    }

    public static void shuffle(List<?> list) {
        Collections.shuffle(list, draw());
    }

    public static Calendar getInstance() {
        Calendar calendar = Calendar.getInstance();
        calendar.setTimeInMillis(clock());
        return calendar;
    }

    private static Instant instant() {
        return Instant.ofEpochMilli(clock());
    }

    public static Clock systemUTC() {
        return Clock.fixed(instant(), ZoneOffset.UTC);
    }

    public static Clock systemDefaultZone() {
        return Clock.fixed(instant(), ZoneId.systemDefault());
    }

    public static double random() {
        return draw().nextDouble();
    }

    public static int nextInt(ThreadLocalRandom receiver) {
        return draw().nextInt();
    }

    public static int nextInt(ThreadLocalRandom receiver, int bound) {
        return draw().nextInt(bound);
    }

    public static int nextInt(ThreadLocalRandom receiver, int origin, int bound) {
        if (origin >= bound) {
            throw new IllegalArgumentException("bound must be greater than origin");
        }
        return (int) (origin + (long) (draw().nextDouble() * ((double) bound - origin)));
    }

    public static long nextLong(ThreadLocalRandom receiver) {
        return draw().nextLong();
    }

    public static boolean nextBoolean(ThreadLocalRandom receiver) {
        return draw().nextBoolean();
    }

    public static float nextFloat(ThreadLocalRandom receiver) {
        return draw().nextFloat();
    }

    public static double nextDouble(ThreadLocalRandom receiver) {
        return draw().nextDouble();
    }

    public static double nextGaussian(ThreadLocalRandom receiver) {
        return draw().nextGaussian();
    }

    // Methods that differ in their result alone need classes of their own.

    /** Instant.now. */
    public static final class Instants {
        private Instants() {}

        public static Instant now() {
            return instant();
        }
    }

    /** LocalDate.now. */
    public static final class LocalDates {
        private LocalDates() {}

        public static LocalDate now() {
            return LocalDate.now(systemDefaultZone());
        }
    }

    /** LocalTime.now. */
    public static final class LocalTimes {
        private LocalTimes() {}

        public static LocalTime now() {
            return LocalTime.now(systemDefaultZone());
        }
    }

    /** LocalDateTime.now. */
    public static final class LocalDateTimes {
        private LocalDateTimes() {}

        public static LocalDateTime now() {
            return LocalDateTime.now(systemDefaultZone());
        }
    }

    /** OffsetDateTime.now. */
    public static final class OffsetDateTimes {
        private OffsetDateTimes() {}

        public static OffsetDateTime now() {
            return OffsetDateTime.now(systemDefaultZone());
        }
    }

    /** ZonedDateTime.now. */
    public static final class ZonedDateTimes {
        private ZonedDateTimes() {}

        public static ZonedDateTime now() {
            return ZonedDateTime.now(systemDefaultZone());
        }
    }
}
