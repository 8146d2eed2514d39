import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Loads and links all classes of bundles and prints the ones that the JVM refuses, one `bundle TAB class TAB error` a line. */
public class Verify {
    private static Instrumentation instrumentation;

    public static void premain(String arguments, Instrumentation given) {
        instrumentation = given;
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "dump":
                dump(Paths.get(arguments[1]), arguments[2]);
                break;
            case "link":
                for (int at = 2; at < arguments.length; at++) {
                    link(Paths.get(arguments[at]), arguments[1]);
                }
                break;
            case "redefine":
                redefine(Paths.get(arguments[1]));
                break;
            default:
                throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Writes the classes of a module of the running JDK to a bundle. */
    private static void dump(Path bundle, String module) throws IOException {
        FileSystem files = FileSystems.getFileSystem(URI.create("jrt:/"));
        Path root = files.getPath("modules", module);
        List<Path> classes;
        try (Stream<Path> all = Files.walk(root)) {
            classes = all.filter(path -> path.toString().endsWith(".class")).sorted().collect(Collectors.toList());
        }
        try (OutputStream file = Files.newOutputStream(bundle);
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(file, 1 << 16))) {
            for (Path path : classes) {
                byte[] bytes = Files.readAllBytes(path);
                String name = root.relativize(path).toString();
                if (!name.equals("module-info.class")) {
                    out.writeUTF(name.substring(0, name.length() - ".class".length()));
                    out.writeInt(bytes.length);
                    out.write(bytes);
                }
            }
        }
    }

    private static Map<String, byte[]> read(Path bundle) throws IOException {
        Map<String, byte[]> classes = new LinkedHashMap<>();
        try (InputStream file = Files.newInputStream(bundle);
                DataInputStream in = new DataInputStream(new BufferedInputStream(file, 1 << 16))) {
            while (true) {
                String name;
                try {
                    name = in.readUTF();
                } catch (EOFException end) {
                    return classes;
                }
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                classes.put(name.replace('/', '.'), bytes);
            }
        }
    }

    private static void link(Path bundle, String classpath) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : classpath.split(File.pathSeparator)) {
            if (!entry.isEmpty()) {
                urls.add(Paths.get(entry).toUri().toURL());
            }
        }
        Map<String, byte[]> classes = read(bundle);
        ClassLoader parent = new URLClassLoader(urls.toArray(new URL[0]), Verify.class.getClassLoader());
        ClassLoader loader = new BundleLoader(classes, parent);
        for (String name : classes.keySet()) {
            try {
                // Asking for the methods links the class without initialising it.
                Class.forName(name, false, loader).getDeclaredMethods();
            } catch (Throwable error) {
                report(bundle, name, error);
            }
        }
        System.out.println(bundle.getFileName() + "\tchecked\t" + classes.size());
    }

    private static void report(Path bundle, String name, Throwable error) {
        String text = String.valueOf(error).split("\n")[0];
        System.out.println(bundle.getFileName() + "\t" + name + "\t" + text);
    }

    /**
     * Has classes of the JDK verified without ever using them: each batch of redefinitions ends with one that the JVM refuses
     * for another reason, so nothing takes effect, but everything before it has been verified.
     */
    private static void redefine(Path bundle) throws Exception {
        List<ClassDefinition> definitions = new ArrayList<>();
        int missing = 0;
        for (Map.Entry<String, byte[]> entry : read(bundle).entrySet()) {
            try {
                Class<?> loaded = Class.forName(entry.getKey(), false, null);
                if (instrumentation.isModifiableClass(loaded)) {
                    definitions.add(new ClassDefinition(loaded, entry.getValue()));
                    continue;
                }
            } catch (ClassNotFoundException | LinkageError absent) {
                // Counted below: a class that cannot even be loaded as it is.
            }
            missing++;
        }
        ClassDefinition last;
        try (InputStream in = Verify.class.getResourceAsStream("Larger.class")) {
            byte[] larger = in.readAllBytes();
            byte[] renamed = new String(larger, "ISO-8859-1").replace("Larger", "Refuse").getBytes("ISO-8859-1");
            last = new ClassDefinition(Refuse.class, renamed);
        }
        int batch = 500;
        for (int at = 0; at < definitions.size(); at += batch) {
            check(bundle, definitions.subList(at, Math.min(at + batch, definitions.size())), last);
        }
        System.out.println(bundle.getFileName() + "\tchecked\t" + definitions.size());
        System.out.println(bundle.getFileName() + "\tmissing\t" + missing);
    }

    private static void check(Path bundle, List<ClassDefinition> batch, ClassDefinition last) {
        List<ClassDefinition> all = new ArrayList<>(batch);
        all.add(last);
        try {
            instrumentation.redefineClasses(all.toArray(new ClassDefinition[0]));
            throw new AssertionError("the last class of a batch must be refused");
        } catch (UnsupportedOperationException refused) {
            // Only the last class changes its members, so all others were accepted.
        } catch (ClassNotFoundException | UnmodifiableClassException | LinkageError error) {
            if (batch.size() == 1) {
                report(bundle, batch.get(0).getDefinitionClass().getName(), error);
            } else {
                check(bundle, batch.subList(0, batch.size() / 2), last);
                check(bundle, batch.subList(batch.size() / 2, batch.size()), last);
            }
        }
    }

    /** Loads the classes of a bundle itself, before its parent is asked. */
    private static final class BundleLoader extends ClassLoader {
        private final Map<String, byte[]> classes;

        BundleLoader(Map<String, byte[]> classes, ClassLoader parent) {
            super(parent);
            this.classes = classes;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                byte[] bytes = classes.get(name);
                if (loaded == null && bytes != null) {
                    loaded = defineClass(name, bytes, 0, bytes.length);
                }
                return loaded == null ? super.loadClass(name, resolve) : loaded;
            }
        }
    }
}

class Refuse {
    static int first() {
        return 1;
    }
}

class Larger {
    static int first() {
        return 1;
    }

    static int second() {
        return 2;
    }
}
