package testhound.rt;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Defines the classes of the subject as the Rust side prepared them, and all others from the class path. */
final class JunitLoader extends URLClassLoader {
    private final Map<String, byte[]> prepared = new HashMap<String, byte[]>();

    JunitLoader(List<String> classpath, ClassLoader parent) throws MalformedURLException {
        super(urls(classpath), parent);
    }

    private static URL[] urls(List<String> classpath) throws MalformedURLException {
        URL[] urls = new URL[classpath.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = new File(classpath.get(i)).toURI().toURL();
        }
        return urls;
    }

    void prepare(String name, byte[] bytes) {
        prepared.put(name, bytes);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = prepared.get(name);
        if (bytes == null) {
            return super.findClass(name);
        }
        int dot = name.lastIndexOf('.');
        // Java 8 does not make packages by itself.
        if (dot > 0 && getPackage(name.substring(0, dot)) == null) {
            try {
                definePackage(name.substring(0, dot), null, null, null, null, null, null, null);
            } catch (IllegalArgumentException alreadyThere) {
                // Another thread was faster.
            }
        }
        return defineClass(name, bytes, 0, bytes.length);
    }
}
