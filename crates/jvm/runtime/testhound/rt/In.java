package testhound.rt;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Requests as bytes. Numbers are 7 bits per byte, the lowest first, or in big-endian order where their size is fixed. */
final class In {
    private final InputStream stream;
    byte[] bytes = new byte[1 << 16];
    int at;

    In(InputStream stream) {
        this.stream = stream;
    }

    /** Reads the next request; false at the end of the stream. */
    boolean receive() throws IOException {
        at = 0;
        if (!fill(4, true)) {
            return false;
        }
        int length = i32();
        if (length > bytes.length) {
            bytes = new byte[length + length / 2];
        }
        at = 0;
        return fill(length, false);
    }

    private boolean fill(int length, boolean mayEnd) throws IOException {
        int have = 0;
        while (have < length) {
            int count = stream.read(bytes, have, length - have);
            if (count < 0) {
                if (mayEnd && have == 0) {
                    return false;
                }
                throw new EOFException();
            }
            have += count;
        }
        return true;
    }

    int u8() {
        return bytes[at++];
    }

    int i32() {
        byte[] b = bytes;
        int i = at;
        at = i + 4;
        return b[i] << 24 | (b[i + 1] & 255) << 16 | (b[i + 2] & 255) << 8 | b[i + 3] & 255;
    }

    long i64() {
        long high = i32();
        return high << 32 | i32() & 0xffffffffL;
    }

    int varint() {
        int value = bytes[at++];
        return value >= 0 ? value : longer(value & 127);
    }

    private int longer(int value) {
        int shift = 7;
        int next;
        do {
            next = bytes[at++];
            value |= (next & 127) << shift;
            shift += 7;
        } while (next < 0);
        return value;
    }

    /** A signed number whose lowest bit is its sign. */
    long signed() {
        long value = 0;
        int shift = 0;
        int next;
        do {
            next = bytes[at++];
            value |= (next & 127L) << shift;
            shift += 7;
        } while (next < 0);
        return value >>> 1 ^ -(value & 1);
    }

    String text() {
        int length = varint();
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    byte[] block() {
        int length = varint();
        byte[] block = new byte[length];
        System.arraycopy(bytes, at, block, 0, length);
        at += length;
        return block;
    }
}
