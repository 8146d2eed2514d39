package testhound.rt;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.TimeZone;

/** The surroundings of tests: no input, output that goes nowhere, pinned locale and time zone. */
final class Quiet {
    private static final InputStream IN = new ByteArrayInputStream(new byte[0]);
    private static final PrintStream OUT = new PrintStream(new OutputStream() {
        @Override
        public void write(int one) {}

        @Override
        public void write(byte[] bytes, int start, int length) {}
    });
    private static final Locale LOCALE = Locale.US;
    private static final TimeZone ZONE = TimeZone.getTimeZone("UTC");

    private Quiet() {}

    /** Undoes what a test changed. */
    static void restore() {
        if (System.in != IN) {
            System.setIn(IN);
        }
        if (System.out != OUT) {
            System.setOut(OUT);
        }
        if (System.err != OUT) {
            System.setErr(OUT);
        }
        if (Locale.getDefault() != LOCALE) {
            Locale.setDefault(LOCALE);
        }
    }

    /** The same for the time zone, which is dearer to look at. */
    static void restoreZone() {
        if (!ZONE.equals(TimeZone.getDefault())) {
            TimeZone.setDefault(ZONE);
        }
    }
}
