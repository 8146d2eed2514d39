package testhound.rt;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.Enumeration;

/**
 * Defines the classes of the subject: prepared ones from its file, all others from the class path.
 *
 * Signatures, sealed packages and modules of jars are left aside on purpose: prepared classes and trampolines would not
 * fit them. Everything is in one unnamed module.
 */
final class SubjectLoader extends ClassLoader {
    private final Subject subject;
    private final URLClassLoader files;
    private final ProtectionDomain domain;

    SubjectLoader(Subject subject, ClassLoader parent) throws MalformedURLException {
        super(parent);
        this.subject = subject;
        URL[] urls = new URL[subject.classpath.length];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = new File(subject.classpath[i]).toURI().toURL();
        }
        files = new URLClassLoader(urls, null);
        URL first = urls.length > 0 ? urls[0] : null;
        domain = new ProtectionDomain(new CodeSource(first, (Certificate[]) null), null, this, null);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = subject.bytes(name);
        if (bytes == null) {
            bytes = read(name.replace('.', '/') + ".class");
        }
        if (bytes == null) {
            throw new ClassNotFoundException(name);
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
        return defineClass(name, bytes, 0, bytes.length, domain);
    }

    private byte[] read(String file) {
        InputStream in = files.getResourceAsStream(file);
        if (in == null) {
            return null;
        }
        try {
            try {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream(8192);
                byte[] part = new byte[8192];
                int count;
                while ((count = in.read(part)) >= 0) {
                    bytes.write(part, 0, count);
                }
                return bytes.toByteArray();
            } finally {
                in.close();
            }
        } catch (IOException unreadable) {
            return null;
        }
    }

    @Override
    protected URL findResource(String name) {
        return files.findResource(name);
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
        return files.findResources(name);
    }
}
