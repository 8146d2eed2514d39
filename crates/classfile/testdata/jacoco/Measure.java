import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.analysis.ICounter;
import org.jacoco.core.analysis.ICoverageNode;
import org.jacoco.core.analysis.IMethodCoverage;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.data.SessionInfoStore;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.LoggerRuntime;
import org.jacoco.core.runtime.RuntimeData;

/** Prints what JaCoCo counts: for all classes of jars, or for a program it runs. */
public final class Measure {
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("run")) {
            run(Paths.get(arguments[1]), arguments[2]);
            return;
        }
        for (String jar : arguments) {
            System.out.println("jar " + jar);
            try (JarFile file = new JarFile(jar)) {
                for (JarEntry entry : Collections.list(file.entries())) {
                    if (entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/")) {
                        try (InputStream in = file.getInputStream(entry)) {
                            analyze(in.readAllBytes(), entry.getName(), new ExecutionDataStore());
                        }
                    }
                }
            }
        }
    }

    private static void run(Path folder, String main) throws Exception {
        Map<String, byte[]> classes = new HashMap<>();
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.filter(path -> path.toString().endsWith(".class")).sorted().collect(Collectors.toList());
        }
        LoggerRuntime runtime = new LoggerRuntime();
        RuntimeData data = new RuntimeData();
        runtime.startup(data);
        Instrumenter instrumenter = new Instrumenter(runtime);
        List<byte[]> originals = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (Path file : files) {
            String name = folder.relativize(file).toString().replace('/', '.').replace(".class", "");
            byte[] bytes = Files.readAllBytes(file);
            byte[] instrumented = instrumenter.instrument(bytes, name);
            classes.put(name, instrumented == null ? bytes : instrumented);
            originals.add(bytes);
            names.add(name);
        }
        ClassLoader loader = new ClassLoader(Measure.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                byte[] bytes = classes.remove(name);
                return bytes == null ? super.loadClass(name, resolve) : defineClass(name, bytes, 0, bytes.length);
            }
        };
        try {
            loader.loadClass(main).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException thrown) {
            System.err.println("the program threw " + thrown.getCause());
        }
        ExecutionDataStore store = new ExecutionDataStore();
        data.collect(store, new SessionInfoStore(), false);
        runtime.shutdown();
        for (int i = 0; i < originals.size(); i++) {
            analyze(originals.get(i), names.get(i), store);
        }
        for (ExecutionData each : store.getContents()) {
            StringBuilder probes = new StringBuilder();
            for (boolean hit : each.getProbes()) {
                probes.append(hit ? '1' : '0');
            }
            System.out.println("probes " + each.getName() + " " + probes);
        }
    }

    private static void analyze(byte[] bytes, String name, ExecutionDataStore store) {
        CoverageBuilder builder = new CoverageBuilder();
        try {
            new Analyzer(store, builder).analyzeClass(bytes, name);
        } catch (Exception e) {
            System.out.println("failed " + name);
            return;
        }
        for (IClassCoverage each : builder.getClasses()) {
            System.out.println("class " + each.getName() + counters(each));
            for (IMethodCoverage method : each.getMethods()) {
                System.out.println("method " + method.getName() + method.getDesc() + counters(method));
            }
        }
    }

    private static String counters(ICoverageNode node) {
        StringBuilder text = new StringBuilder();
        ICounter[] counters = {
            node.getInstructionCounter(), node.getBranchCounter(), node.getLineCounter(), node.getMethodCounter()
        };
        for (ICounter counter : counters) {
            text.append(' ').append(counter.getCoveredCount()).append('/').append(counter.getTotalCount());
        }
        return text.toString();
    }
}
