import com.google.common.collect.*;
import com.google.common.collect.testing.*;
import com.google.common.collect.testing.features.*;
import com.google.common.collect.testing.google.*;
import java.util.*;
import junit.framework.*;

/** Runs Guava's own conformance suites over some of its collections, and prints how each test ends. */
public class GuavaSuites {
    public static void main(String[] arguments) {
        TestSuite all = new TestSuite();
        all.addTest(lists());
        all.addTest(sets());
        all.addTest(biMaps());
        all.addTest(multisets());
        all.addTest(setMultimaps());
        all.addTest(listMultimaps());
        List<String> outcomes = new ArrayList<>();
        TestResult result = new TestResult();
        result.addListener(new TestListener() {
            private String outcome;

            public void startTest(junit.framework.Test test) {
                outcome = "passed";
            }

            public void addError(junit.framework.Test test, Throwable thrown) {
                outcome = "error " + thrown.getClass().getName();
            }

            public void addFailure(junit.framework.Test test, AssertionFailedError thrown) {
                outcome = "failed";
            }

            public void endTest(junit.framework.Test test) {
                outcomes.add(test + "\t" + outcome);
            }
        });
        all.run(result);
        Collections.sort(outcomes);
        for (String outcome : outcomes) {
            System.out.println(outcome.replace('\n', ' '));
        }
        System.out.println("probes\t" + testhound.rt.Probes.all());
    }

    private static TestSuite lists() {
        return ListTestSuiteBuilder.using(new TestStringListGenerator() {
            protected List<String> create(String[] elements) {
                return ImmutableList.copyOf(elements);
            }
        }).named("ImmutableList").withFeatures(CollectionSize.ANY, CollectionFeature.SERIALIZABLE, CollectionFeature.ALLOWS_NULL_QUERIES).createTestSuite();
    }

    private static TestSuite sets() {
        return SetTestSuiteBuilder.using(new TestStringSetGenerator() {
            protected Set<String> create(String[] elements) {
                return ImmutableSet.copyOf(elements);
            }
        }).named("ImmutableSet").withFeatures(CollectionSize.ANY, CollectionFeature.SERIALIZABLE, CollectionFeature.KNOWN_ORDER, CollectionFeature.ALLOWS_NULL_QUERIES).createTestSuite();
    }

    private static TestSuite biMaps() {
        return BiMapTestSuiteBuilder.using(new TestStringBiMapGenerator() {
            protected BiMap<String, String> create(Map.Entry<String, String>[] entries) {
                BiMap<String, String> map = HashBiMap.create();
                for (Map.Entry<String, String> entry : entries) {
                    map.put(entry.getKey(), entry.getValue());
                }
                return map;
            }
        }).named("HashBiMap").withFeatures(CollectionSize.ANY, CollectionFeature.SERIALIZABLE, CollectionFeature.SUPPORTS_ITERATOR_REMOVE, CollectionFeature.KNOWN_ORDER, MapFeature.ALLOWS_NULL_KEYS, MapFeature.ALLOWS_NULL_VALUES, MapFeature.ALLOWS_ANY_NULL_QUERIES, MapFeature.GENERAL_PURPOSE).createTestSuite();
    }

    private static TestSuite multisets() {
        return MultisetTestSuiteBuilder.using(new TestStringMultisetGenerator() {
            protected Multiset<String> create(String[] elements) {
                return LinkedHashMultiset.create(Arrays.asList(elements));
            }
        }).named("LinkedHashMultiset").withFeatures(CollectionSize.ANY, CollectionFeature.KNOWN_ORDER, CollectionFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION, CollectionFeature.ALLOWS_NULL_VALUES, CollectionFeature.SERIALIZABLE, CollectionFeature.GENERAL_PURPOSE).createTestSuite();
    }

    private static TestSuite setMultimaps() {
        return SetMultimapTestSuiteBuilder.using(new TestStringSetMultimapGenerator() {
            protected SetMultimap<String, String> create(Map.Entry<String, String>[] entries) {
                SetMultimap<String, String> multimap = HashMultimap.create();
                for (Map.Entry<String, String> entry : entries) {
                    multimap.put(entry.getKey(), entry.getValue());
                }
                return multimap;
            }
        }).named("HashMultimap").withFeatures(MapFeature.ALLOWS_NULL_KEYS, MapFeature.ALLOWS_NULL_VALUES, MapFeature.ALLOWS_ANY_NULL_QUERIES, MapFeature.GENERAL_PURPOSE, MapFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION, CollectionFeature.SUPPORTS_ITERATOR_REMOVE, CollectionFeature.SERIALIZABLE, CollectionSize.ANY).createTestSuite();
    }

    private static TestSuite listMultimaps() {
        return ListMultimapTestSuiteBuilder.using(new TestStringListMultimapGenerator() {
            protected ListMultimap<String, String> create(Map.Entry<String, String>[] entries) {
                ListMultimap<String, String> multimap = LinkedListMultimap.create();
                for (Map.Entry<String, String> entry : entries) {
                    multimap.put(entry.getKey(), entry.getValue());
                }
                return multimap;
            }
        }).named("LinkedListMultimap").withFeatures(MapFeature.ALLOWS_NULL_KEYS, MapFeature.ALLOWS_NULL_VALUES, MapFeature.ALLOWS_ANY_NULL_QUERIES, MapFeature.GENERAL_PURPOSE, CollectionFeature.SUPPORTS_ITERATOR_REMOVE, CollectionFeature.SERIALIZABLE, CollectionFeature.KNOWN_ORDER, CollectionSize.ANY).createTestSuite();
    }
}
