package figures;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Copies and skips bytes of streams that only the JDK can make. */
public final class Streams {
    private Streams() {}

    public static long copy(InputStream from, OutputStream to) throws IOException {
        byte[] buffer = new byte[64];
        long count = 0;
        int read;
        while ((read = from.read(buffer)) >= 0) {
            to.write(buffer, 0, read);
            count += read;
        }
        return count;
    }

    public static long skip(InputStream from, long wanted) throws IOException {
        long left = wanted;
        while (left > 0) {
            long skipped = from.skip(left);
            if (skipped == 0) {
                break;
            }
            left -= skipped;
        }
        return wanted - left;
    }
}
