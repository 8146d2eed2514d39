package testhound.rt;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;

/** The worker: reads requests from standard input, answers on standard output, until the input ends. */
public final class Main {
    private static final int RUN = 1;
    private static final int EXAMINE = 2;
    private static final int LINK = 3;
    private static final int REDEFINE = 4;

    /** Running out of a small stack is far cheaper than out of a large one. */
    private static final int STACK = 512 << 10;

    private Main() {}

    public static void main(final String[] arguments) throws Exception {
        ThreadGroup group = new ThreadGroup("test");
        Runnable work = new Runnable() {
            @Override
            public void run() {
                try {
                    serve(arguments[0], arguments[1]);
                } catch (Throwable broken) {
                    // Standard error is given to the Rust side when the worker ends.
                    broken.printStackTrace(new java.io.PrintStream(new FileOutputStream(FileDescriptor.err)));
                    Runtime.getRuntime().halt(70);
                }
                Runtime.getRuntime().halt(0);
            }
        };
        new Thread(group, work, "test", STACK).start();
    }

    private static void serve(String subjectFile, String markerFile) throws Exception {
        In in = new In(new FileInputStream(FileDescriptor.in));
        Out out = new Out(new FileOutputStream(FileDescriptor.out));
        RandomAccessFile file = new RandomAccessFile(markerFile, "rw");
        MappedByteBuffer marker = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 12);
        file.close();
        Quiet.restore();
        Quiet.restoreZone();
        Subject subject = new Subject(subjectFile);
        SubjectLoader loader = new SubjectLoader(subject, Main.class.getClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        loader.setDefaultAssertionStatus(Settings.assertions);
        Threads threads = new Threads(Thread.currentThread(), marker);
        Executor executor = new Executor(subject, loader, in, out, threads, marker);
        while (in.receive()) {
            switch (in.u8()) {
                case RUN:
                    executor.batch();
                    break;
                case EXAMINE:
                    executor.examine();
                    break;
                case LINK:
                    executor.link();
                    break;
                case REDEFINE:
                    executor.redefine();
                    break;
                default:
                    throw new IllegalStateException("unknown request");
            }
        }
    }
}
