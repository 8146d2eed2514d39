package testhound.rt;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Replies as bytes; the counterpart of {@link In}. */
final class Out {
    private final OutputStream stream;
    byte[] bytes = new byte[1 << 16];
    int at = 4;

    Out(OutputStream stream) {
        this.stream = stream;
    }

    /** Sends what was written, with its length before it. */
    void send() throws IOException {
        int length = at - 4;
        bytes[0] = (byte) (length >> 24);
        bytes[1] = (byte) (length >> 16);
        bytes[2] = (byte) (length >> 8);
        bytes[3] = (byte) length;
        stream.write(bytes, 0, at);
        at = 4;
    }

    /** Makes room, so that the small writes that follow need not look. */
    void room(int count) {
        if (bytes.length - at < count) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length + count);
        }
    }

    /** Adds what was written to another, which is never sent itself. */
    void append(Out other) {
        int length = other.at - 4;
        room(length);
        System.arraycopy(other.bytes, 4, bytes, at, length);
        at += length;
    }

    void u8(int value) {
        room(1);
        bytes[at++] = (byte) value;
    }

    void varint(int value) {
        room(5);
        while ((value & ~127) != 0) {
            bytes[at++] = (byte) (value | 128);
            value >>>= 7;
        }
        bytes[at++] = (byte) value;
    }

    void i64(long value) {
        room(8);
        byte[] b = bytes;
        int i = at;
        at = i + 8;
        b[i] = (byte) (value >> 56);
        b[i + 1] = (byte) (value >> 48);
        b[i + 2] = (byte) (value >> 40);
        b[i + 3] = (byte) (value >> 32);
        b[i + 4] = (byte) (value >> 24);
        b[i + 5] = (byte) (value >> 16);
        b[i + 6] = (byte) (value >> 8);
        b[i + 7] = (byte) value;
    }

    /** A text as its UTF-16 units, because not every Java string is valid Unicode. */
    void text(String text, int limit) {
        int length = Math.min(text.length(), limit);
        varint(text.length());
        varint(length);
        room(2 * length);
        for (int i = 0; i < length; i++) {
            char unit = text.charAt(i);
            bytes[at++] = (byte) (unit >> 8);
            bytes[at++] = (byte) unit;
        }
    }

    void text(String text) {
        text(text, 1 << 16);
    }
}
