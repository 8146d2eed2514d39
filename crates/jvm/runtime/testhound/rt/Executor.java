package testhound.rt;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.util.Arrays;

/**
 * Runs batches of tests. The hot path of a worker: one call per step, arguments in arrays that are used again, no boxing.
 *
 * The layout of requests and replies is written down in `protocol.rs`.
 */
final class Executor {
    // How a test ended.
    static final int RAN = 0;
    static final int THREW = 1;
    static final int TIMED_OUT = 2;
    static final int EXITED = 3;
    static final int NO_MEMORY = 4;

    // What a step gave.
    private static final int VOID = 0;
    private static final int NOTHING = 1;
    private static final int PLAIN = 2;
    private static final int MARKED = 3;
    private static final int PRIMITIVE = 4;
    private static final int THROWN = 5;

    // Parts of a test's reply, as bits.
    private static final int HITS = 1;
    private static final int VIOLATIONS = 2;
    private static final int TRACE = 4;
    private static final int DETAILS = 8;
    private static final int UNLINKED = 16;

    // Why the worker is to be retired, after the last test of a reply.
    static final int GOES_ON = 0;
    static final int LEAKED_THREAD = 1;
    static final int OUT_OF_MEMORY = 2;

    /** From this world on, threads that a test starts are ahead of it. */
    private static final int BEHIND = 5;

    private final Subject subject;
    private final ClassLoader loader;
    private final In in;
    private final Out out;
    final Classes classes;
    private final Contracts contracts;
    private final Statics statics;
    private final Threads threads;
    private final MappedByteBuffer marker;
    private final Trampoline[] trampolines;
    private final Invoker[] invokers;
    private final int[] places;
    private final short[] parameters;
    private final byte[] results;
    /** The class that each operation gave last; it seldom changes. */
    private final Classes.Known[] last;

    private String[] strings = new String[256];
    private int stringCount;
    private Object[] references = new Object[256];
    private long[] primitives = new long[256];
    /** What the steps gave. */
    Object[] values = new Object[64];
    long[] numbers = new long[64];
    int[] operations = new int[64];

    /** When the test began, in nanoseconds; 0 where nobody asks. */
    private long begun;
    private int serial;
    /** Whether a null was passed to the subject. */
    private boolean nulls;
    /** Whether the subject was given objects that only pretend: what they lead to is nobody's fault. */
    private boolean pretended;
    int end;
    Throwable thrown;
    /** Operations that turned out not to be callable in this test. */
    private int unlinked;
    private String unlinkedReason;

    Executor(Subject subject, ClassLoader loader, In in, Out out, Threads threads, MappedByteBuffer marker) {
        this.subject = subject;
        this.loader = loader;
        this.in = in;
        this.out = out;
        this.threads = threads;
        this.marker = marker;
        classes = new Classes(subject, loader);
        contracts = new Contracts(this, out, subject.checks);
        statics = new Statics(subject, loader);
        trampolines = new Trampoline[subject.trampolines.length];
        places = subject.places;
        if (Settings.reflective) {
            Arrays.fill(places, -1);
        }
        parameters = subject.parameters;
        results = subject.results;
        invokers = new Invoker[places.length];
        last = new Classes.Known[places.length];
    }

    /** Runs a batch of tests. */
    void batch() throws IOException {
        int number = in.i32();
        int needs = in.u8();
        marker.putInt(8, 0);
        marker.putInt(0, number);
        readStrings();
        int count = in.varint();
        int retired = GOES_ON;
        for (int i = 0; i < count && retired == GOES_ON; i++) {
            marker.putInt(4, i);
            out.u8(1);
            int flags = in.u8();
            int length = in.varint();
            int next = in.at + length;
            int steps = run(0);
            report(flags, needs, steps);
            in.at = next;
            retired = settle(steps);
        }
        marker.putInt(4, -1);
        out.u8(0);
        out.u8(retired);
        out.send();
    }

    /** Runs one test and tells in full what it gave. */
    void examine() throws IOException {
        int number = in.i32();
        int needs = in.u8();
        int world = in.u8();
        marker.putInt(8, 0);
        marker.putInt(0, number);
        marker.putInt(4, 0);
        readStrings();
        int flags = in.u8();
        in.varint();
        int steps = run(world);
        int hits = Probes.hits;
        int budget = Probes.budget;
        boolean told = writable();
        // Looking comes before the contracts are checked, which may change something, and is no part of the test.
        Out looked = new Out(null);
        if (told) {
            tell(steps, thrown, looked);
        }
        Probes.hits = hits;
        Probes.budget = budget;
        // A report with all hits, whatever was reported before.
        Probes.fresh = true;
        report(flags, needs, steps);
        out.u8(told ? 1 : 0);
        out.append(looked);
        out.u8(settle(steps));
        marker.putInt(4, -1);
        out.send();
    }

    private void tell(int steps, Throwable error, Out out) {
        int gave = error == null ? steps : steps - 1;
        Examiner examiner = new Examiner(out, Arrays.copyOf(values, gave));
        for (int i = 0; i < gave; i++) {
            byte kind = results[operations[i]];
            if (kind == 'V') {
                out.u8(0);
                continue;
            }
            out.u8(1);
            if (kind == 'L') {
                examiner.value(values[i], true);
            } else {
                examiner.primitive(kind, numbers[i]);
            }
        }
        if (error != null) {
            out.u8(2);
            examiner.thrown(error);
        }
    }

    void readStrings() {
        int count = in.varint();
        if (stringCount + count > strings.length) {
            strings = Arrays.copyOf(strings, 2 * (stringCount + count));
        }
        for (int i = 0; i < count; i++) {
            strings[stringCount++] = in.text().intern();
        }
    }

    /** Runs the steps of one test, writing what each gives; returns how many were begun. */
    int run(int world) {
        Thread.interrupted();
        Calls.begin(world);
        end = RAN;
        thrown = null;
        nulls = false;
        pretended = false;
        unlinked = -1;
        int steps = in.varint();
        if (steps > values.length) {
            values = new Object[2 * steps];
            numbers = new long[2 * steps];
            operations = new int[2 * steps];
        }
        out.varint(steps);
        threads.running = ++serial;
        begun = Settings.timed ? System.nanoTime() : 0;
        if (world >= BEHIND) {
            threads.fallBehind();
            Probes.beginBehind(Settings.ticks, threads);
        } else {
            Probes.begin(Settings.ticks);
        }
        int step = 0;
        while (step < steps && step(step)) {
            step++;
        }
        threads.running = 0;
        if (Probes.budget < 0 || threads.woken == serial) {
            end = TIMED_OUT;
        } else if (Calls.exited) {
            end = EXITED;
        }
        return step < steps ? step + 1 : steps;
    }

    /** Runs a step; false when the test is over. */
    private boolean step(int index) {
        int operation = in.varint();
        operations[index] = operation;
        if (subject.kinds[operation] == Subject.IMPLEMENTOR) {
            pretended = true;
        }
        int count = parameters[operation];
        if (count < 0) {
            count = in.varint();
            if (count > references.length) {
                references = new Object[2 * count];
                primitives = new long[2 * count];
            }
        }
        Object result;
        try {
            for (int i = 0; i < count; i++) {
                argument(i);
            }
            int place = places[operation];
            if (place >= 0) {
                Trampoline trampoline = trampolines[place >> 8];
                if (trampoline == null) {
                    trampoline = trampoline(place >> 8);
                }
                result = trampoline.call(place & 255, references, primitives);
            } else {
                result = invoke(operation, count);
            }
        } catch (Throwable caught) {
            return threw(index, operation, count, caught);
        }
        gave(index, operation, result);
        return true;
    }

    private void gave(int index, int operation, Object result) {
        byte kind = results[operation];
        if (kind == 'L') {
            values[index] = result;
            reference(operation, result);
        } else if (kind == 'V') {
            values[index] = null;
            out.u8(VOID);
        } else {
            values[index] = null;
            long number = primitives[0];
            numbers[index] = number;
            out.u8(PRIMITIVE);
            out.i64(number);
        }
    }

    private void reference(int operation, Object value) {
        if (value == null) {
            out.u8(NOTHING);
            return;
        }
        Classes.Known known = last[operation];
        if (known == null || known.type != value.getClass()) {
            known = classes.get(value.getClass());
            last[operation] = known;
        }
        if (known.kind == Classes.PLAIN) {
            out.u8(PLAIN);
            classes.write(known, out);
        } else {
            out.u8(MARKED);
            classes.write(known, out);
            out.i64(Classes.fingerprint(value, known.kind));
        }
    }

    /** Reads an argument to its place. */
    private void argument(int index) {
        switch (in.u8()) {
            case 0:
                references[index] = null;
                nulls = true;
                break;
            case 1: {
                Object value = values[in.varint()];
                references[index] = value;
                if (value == null) {
                    nulls = true;
                }
                break;
            }
            case 2:
                primitives[index] = numbers[in.varint()];
                break;
            case 3: {
                int step = in.varint();
                references[index] = Boxes.box(numbers[step], results[operations[step]]);
                break;
            }
            case 4:
                primitives[index] = Boxes.unbox(values[in.varint()]);
                break;
            case 5:
                primitives[index] = in.signed();
                break;
            case 6:
                primitives[index] = in.i64();
                break;
            case 7:
                references[index] = strings[in.varint()];
                break;
            case 8:
                references[index] = in.text().intern();
                break;
            default: {
                byte kind = (byte) in.u8();
                references[index] = Boxes.box(in.i64(), kind);
                break;
            }
        }
    }

    private Trampoline trampoline(int index) throws Exception {
        Class<?> type = Class.forName(subject.trampolines[index], true, loader);
        trampolines[index] = (Trampoline) type.getConstructor().newInstance();
        return trampolines[index];
    }

    private Object invoke(int operation, int count) throws Throwable {
        Invoker invoker = invokers[operation];
        if (invoker == null) {
            invoker = new Invoker(subject, operation, loader);
            invokers[operation] = invoker;
        }
        return invoker.call(results[operation], count, references, primitives);
    }

    /** Calls an operation on one value that is there, for checks of its state. */
    Object observe(int operation, Object receiver) throws Throwable {
        references[0] = receiver;
        int place = places[operation];
        if (place < 0) {
            return invoke(operation, 1);
        }
        Trampoline trampoline = trampolines[place >> 8];
        if (trampoline == null) {
            trampoline = trampoline(place >> 8);
        }
        return trampoline.call(place & 255, references, primitives);
    }

    /** The class whose member an operation calls. */
    Class<?> owner(int operation) throws ClassNotFoundException {
        return Class.forName(subject.member(operation)[0], false, loader);
    }

    byte resultOf(int operation) {
        return results[operation];
    }

    long primitiveResult() {
        return primitives[0];
    }

    private boolean threw(int index, int operation, int count, Throwable caught) {
        if (caught instanceof LinkageError && places[operation] >= 0 && fromTrampoline(caught)) {
            return again(index, operation, count, caught);
        }
        end(caught);
        return false;
    }

    private void end(Throwable caught) {
        end = THREW;
        thrown = caught;
        if (caught instanceof Error) {
            if (caught instanceof OutOfMemoryError) {
                end = NO_MEMORY;
            } else if (caught instanceof LinkageError) {
                thrown = settled((LinkageError) caught);
                if (String.valueOf(thrown.getMessage()).contains(OutOfBudget.class.getName())) {
                    // The initialiser used up the budget of an earlier test, and would use up that of this one.
                    Probes.budget = -1;
                }
            }
        }
        out.u8(THROWN);
        classes.write(classes.get(thrown.getClass()), out);
    }

    /** Which test meets a broken initialiser first is chance, so that all see the same error. */
    private static Throwable settled(LinkageError error) {
        String message = error.getMessage();
        boolean later = error instanceof NoClassDefFoundError && message != null && message.startsWith("Could not initialize class");
        if (later && !(error.getCause() instanceof ExceptionInInitializerError)) {
            return new ExceptionInInitializerError(message);
        }
        return later ? error.getCause() : error;
    }

    /** Whether the trampoline itself does not link, rather than something inside the subject. */
    private static boolean fromTrampoline(Throwable caught) {
        if (caught instanceof ExceptionInInitializerError || settled((LinkageError) caught) != caught) {
            return false;
        }
        StackTraceElement[] trace = caught.getStackTrace();
        for (StackTraceElement element : trace) {
            String name = element.getClassName();
            if (name.startsWith("java.lang.") || name.startsWith("jdk.internal.") || name.equals(SubjectLoader.class.getName())) {
                continue;
            }
            return isTrampoline(element) || name.equals(Executor.class.getName());
        }
        return false;
    }

    private static boolean isTrampoline(StackTraceElement element) {
        return element.getClassName().contains("testhound$Trampoline");
    }

    /** Takes the operation off its trampoline for good and calls it by reflection. */
    private boolean again(int index, int operation, int count, Throwable reason) {
        places[operation] = -1;
        Object result;
        try {
            invokers[operation] = new Invoker(subject, operation, loader);
        } catch (Throwable hopeless) {
            unlinked = operation;
            unlinkedReason = String.valueOf(hopeless);
            end(reason);
            return false;
        }
        try {
            result = invoke(operation, count);
        } catch (Throwable caught) {
            end(caught);
            return false;
        }
        gave(index, operation, result);
        return true;
    }

    /** Writes what the whole test showed, after its steps. */
    private void report(int flags, int needs, int steps) {
        int hits = Probes.hits;
        boolean fresh = Probes.fresh;
        int ticks = Settings.ticks - Math.max(Probes.budget, 0);
        if (thrown instanceof StackOverflowError) {
            // How deep it went depends on what was compiled.
            ticks = Settings.ticks;
        }
        out.u8(end);
        out.varint(ticks);
        out.varint(Settings.timed ? (int) Math.min((System.nanoTime() - begun) / 1000, Integer.MAX_VALUE) : 0);
        int at = out.at;
        out.u8(0);
        int parts = 0;
        // What only such a test reaches, no written test can cover; another test may, and must then be reported.
        if (fresh && writable() && (needs & HITS) != 0) {
            parts |= HITS;
            writeHits(hits);
        }
        if ((needs & DETAILS) != 0) {
            parts |= DETAILS;
            Details.write(needs, out);
        }
        if (unlinked >= 0) {
            parts |= UNLINKED;
            out.varint(unlinked);
            out.text(unlinkedReason);
        }
        if (end == THREW && suspicious(thrown)) {
            parts |= TRACE;
            out.text(ownFrame(thrown));
            out.text(String.valueOf(thrown.getMessage()), 1000);
        }
        if (end == RAN && !pretended && (flags & 1) != 0 && contracts.check(steps)) {
            parts |= VIOLATIONS;
        }
        out.bytes[at] = (byte) parts;
    }

    /** Whether the test did something that a written test can do. */
    private boolean writable() {
        return end == RAN || end == THREW && !(thrown instanceof NotPortable);
    }

    private void writeHits(int count) {
        out.varint(count);
        for (int i = 0; i < count; i++) {
            int place = Probes.HITS[i];
            Probes.REPORTED[place] = true;
            out.varint(place);
        }
    }

    private boolean suspicious(Throwable error) {
        if (error instanceof NullPointerException) {
            // One of the class library alone, called by the test itself, is not the subject's.
            return !nulls && !pretended && !ownFrame(error).isEmpty();
        }
        return error instanceof AssertionError || error instanceof InternalError;
    }

    /** The innermost frame in what is tested. */
    String ownFrame(Throwable error) {
        for (StackTraceElement element : error.getStackTrace()) {
            if (subject.owns(element.getClassName()) && !isTrampoline(element)) {
                return element.getClassName() + "." + element.getMethodName() + ":" + element.getLineNumber();
            }
        }
        return "";
    }

    /** Makes the worker ready for another test, or says why it is to be retired. */
    int settle(int steps) {
        boolean full = end == NO_MEMORY;
        thrown = null;
        for (int i = 0; i < steps; i++) {
            values[i] = null;
        }
        Quiet.restore();
        if (Probes.dirty > 0) {
            statics.reset();
        }
        if (full && spoilt()) {
            return OUT_OF_MEMORY;
        }
        return threads.settled() ? GOES_ON : LEAKED_THREAD;
    }

    /** One array that did not fit does no harm; memory that stays full does. */
    private boolean spoilt() {
        Arrays.fill(references, null);
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        return runtime.totalMemory() - runtime.freeMemory() > runtime.maxMemory() / 2;
    }

    /** Answers which operations cannot be called and why, without initialising a class. */
    void link() throws IOException {
        for (int operation = 0; operation < places.length; operation++) {
            String reason = reason(operation);
            if (reason != null) {
                out.u8(1);
                out.varint(operation);
                out.text(reason);
            }
        }
        out.u8(0);
        out.send();
    }

    private String reason(int operation) {
        try {
            new Invoker(subject, operation, loader);
            return null;
        } catch (NoClassDefFoundError missing) {
            // Reflection looks at all members at once; a trampoline needs the types of this one alone.
            return Invoker.typesLoad(subject.member(operation), loader) ? null : String.valueOf(missing);
        } catch (Throwable thrown) {
            return String.valueOf(thrown);
        }
    }

    /** Replaces the code of classes. Static fields of theirs begin anew before the next test. */
    void redefine() throws IOException {
        int count = in.varint();
        Class<?>[] types = new Class<?>[count];
        byte[][] bytes = new byte[count][];
        String problem = "";
        try {
            for (int i = 0; i < count; i++) {
                types[i] = Class.forName(in.text(), false, loader);
                bytes[i] = in.block();
            }
            Agent.redefine(types, bytes);
        } catch (Throwable thrown) {
            problem = String.valueOf(thrown);
        }
        out.text(problem);
        out.send();
    }
}
