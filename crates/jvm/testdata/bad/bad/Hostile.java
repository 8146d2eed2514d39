package bad;

import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Attacks the process it runs in, and those around it. */
public class Hostile {
    public static void exit() {
        System.exit(3);
    }

    public static int exitAndGoOn() {
        try {
            Runtime.getRuntime().exit(3);
        } catch (Throwable caught) {
            return 1;
        }
        return 2;
    }

    public static void halt() {
        Runtime.getRuntime().halt(3);
    }

    public static void haltByReflection() throws Exception {
        Method halt = Runtime.class.getMethod("halt", int.class);
        halt.invoke(Runtime.getRuntime(), 3);
    }

    public static void crash() throws Exception {
        Class<?> type = Class.forName("sun.misc.Unsafe");
        Field field = type.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        type.getMethod("putAddress", long.class, long.class).invoke(field.get(null), 0L, 0L);
    }

    public static void leakThread() {
        new Thread() {
            @Override
            public void run() {
                while (true) {
                    try {
                        Thread.sleep(1000);
                    } catch (InterruptedException again) {
                        continue;
                    }
                }
            }
        }.start();
    }

    public static boolean delete(String path) {
        return new File(path).delete();
    }

    /** Gives whether the parent was there and could be killed. */
    public static String killParent() throws Exception {
        Class<?> type = Class.forName("java.lang.ProcessHandle");
        Object current = type.getMethod("current").invoke(null);
        Object parent = type.getMethod("parent").invoke(current);
        if (!(Boolean) parent.getClass().getMethod("isPresent").invoke(parent)) {
            return "no parent";
        }
        Object handle = parent.getClass().getMethod("get").invoke(parent);
        return String.valueOf(type.getMethod("destroyForcibly").invoke(handle));
    }

    public static void noise() {
        System.out.println("noise");
        System.err.println("noise");
        System.setOut(null);
    }

    /** Writes where the answers of the worker go. */
    public static void babble() throws Exception {
        java.io.FileOutputStream out = new java.io.FileOutputStream(java.io.FileDescriptor.out);
        out.write(new byte[] {0, 0, 0, 5, 1, 2, 3, 4, 5});
        out.flush();
    }
}
