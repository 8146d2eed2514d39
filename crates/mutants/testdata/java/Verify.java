import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Loads mutated classes and reports which of them the verifier refuses. The file given holds the original classes and then
 * the mutants: count, then name, length and bytes of each. Every mutant gets a class loader of its own, which defines all
 * other classes from their originals.
 */
class Verify {
    static final class Loader extends ClassLoader {
        private final Map<String, byte[]> originals;
        private final String mutant;
        private final byte[] mutated;

        Loader(Map<String, byte[]> originals, String mutant, byte[] mutated) {
            this.originals = originals;
            this.mutant = mutant;
            this.mutated = mutated;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                byte[] bytes = name.equals(mutant) ? mutated : originals.get(name);
                if (loaded == null && bytes != null) {
                    loaded = defineClass(name, bytes, 0, bytes.length);
                }
                return loaded != null ? loaded : super.loadClass(name, resolve);
            }
        }
    }

    static byte[] bytes(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return bytes;
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, byte[]> originals = new TreeMap<>();
        Map<String, Boolean> sound = new HashMap<>();
        int checked = 0;
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(arguments[0])))) {
            for (int count = in.readInt(); count > 0; count--) {
                originals.put(in.readUTF(), bytes(in));
            }
            for (int count = in.readInt(); count > 0; count--) {
                String label = in.readUTF();
                String name = in.readUTF();
                byte[] mutated = bytes(in);
                if (!sound.containsKey(name)) {
                    sound.put(name, error(new Loader(originals, name, originals.get(name)), name) == null);
                }
                if (!sound.get(name)) {
                    continue;
                }
                checked++;
                Throwable error = error(new Loader(originals, name, mutated), name);
                if (error != null) {
                    System.out.println(label + ": " + error.toString().replace('\n', ' '));
                }
            }
        }
        System.out.println("checked " + checked);
    }

    /** Links a class, which verifies it, without running its initialiser. */
    static Throwable error(ClassLoader loader, String name) {
        try {
            Class.forName(name, false, loader).getDeclaredConstructors();
            return null;
        } catch (LinkageError | ClassNotFoundException error) {
            return error;
        }
    }
}
