package testhound.rt;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.HashMap;

/** The subject's file: operations and classes as the Rust side prepared them. Classes are read when they are needed. */
final class Subject {
    static final byte ARRAY = 5;
    /** An instance of a class that was made for the tests. */
    static final byte IMPLEMENTOR = 6;
    static final byte CLASS_LITERAL = 7;

    private final RandomAccessFile file;
    /** Where the bytes of a class are: offset in the high half, length in the low one. By names with dots. */
    private final HashMap<String, Long> classes;
    /** What an operation is: the `OperationKind` of the Rust side. */
    final byte[] kinds;
    /** What an operation gives: the letter of its descriptor, `L` also for arrays. */
    final byte[] results;
    /** How many parameters an operation has; -1 for a new array. */
    final short[] parameters;
    /** Which trampoline calls it, and there which number; negative where none does. */
    final int[] places;
    private final int[] names;
    private final byte[] nameBytes;
    final String[] trampolines;
    final String[] resettable;
    final String[] classpath;
    /** Operations that check the state of their receiver. */
    final int[] checks;

    Subject(String path) throws IOException {
        file = new RandomAccessFile(path, "r");
        DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(path), 1 << 16));
        try {
            int header = in.readInt();
            Settings.reflective = in.readBoolean();
            Settings.assertions = in.readBoolean();
            Settings.timed = in.readBoolean();
            Settings.ticks = in.readInt();
            Settings.arrayLimit = in.readInt();
            Settings.clock = in.readLong();
            Settings.places = in.readInt();
            Settings.edges = in.readInt();
            Settings.paths = in.readInt();
            classpath = texts(in);
            resettable = texts(in);
            Settings.resettable = resettable.length;
            trampolines = texts(in);
            checks = new int[in.readInt()];
            for (int i = 0; i < checks.length; i++) {
                checks[i] = in.readInt();
            }
            int count = in.readInt();
            classes = new HashMap<String, Long>(2 * count);
            long offset = header;
            for (int i = 0; i < count; i++) {
                String name = in.readUTF();
                int length = in.readInt();
                classes.put(name, offset << 32 | length);
                offset += length;
            }
            count = in.readInt();
            kinds = new byte[count];
            results = new byte[count];
            parameters = new short[count];
            places = new int[count];
            names = new int[count];
            for (int i = 0; i < count; i++) {
                kinds[i] = in.readByte();
                results[i] = in.readByte();
                parameters[i] = in.readShort();
                places[i] = in.readInt();
                names[i] = in.readInt();
            }
            nameBytes = new byte[in.readInt()];
            in.readFully(nameBytes);
        } finally {
            in.close();
        }
    }

    private static String[] texts(DataInputStream in) throws IOException {
        String[] texts = new String[in.readInt()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = in.readUTF();
        }
        return texts;
    }

    /** The class, name and descriptor of an operation's member, the class as Class.forName takes it. */
    String[] member(int operation) {
        String[] member = new String[3];
        int at = names[operation];
        for (int i = 0; i < 3; i++) {
            int length = (nameBytes[at] & 255) << 8 | nameBytes[at + 1] & 255;
            byte[] utf = new byte[length + 2];
            System.arraycopy(nameBytes, at, utf, 0, length + 2);
            try {
                member[i] = new DataInputStream(new ByteArrayInputStream(utf)).readUTF();
            } catch (IOException broken) {
                throw new IllegalStateException(broken);
            }
            at += 2 + length;
        }
        return member;
    }

    /** Whether a class belongs to what is tested. */
    boolean owns(String name) {
        return classes.containsKey(name);
    }

    /** The bytes of a class, or null. */
    byte[] bytes(String name) {
        Long place = classes.get(name);
        if (place == null) {
            return null;
        }
        byte[] bytes = new byte[place.intValue()];
        try {
            synchronized (file) {
                file.seek(place >>> 32);
                file.readFully(bytes);
            }
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
        return bytes;
    }
}
