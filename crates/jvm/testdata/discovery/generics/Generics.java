package generics;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

public class Generics<T extends Comparable<T>> implements Comparable<Generics<T>> {
    private final List<T> items = new ArrayList<>();

    public void add(T item) {
        items.add(item);
    }

    @SafeVarargs
    public static <E> List<E> listOf(E... elements) {
        return new ArrayList<>(List.of(elements));
    }

    public static <K, V extends Number> V find(Map<K, ? super V> map, K key) {
        return null;
    }

    public T best(Collection<? extends T> more) {
        return items.get(0);
    }

    public ArrayList<Integer> numbers() {
        return new ArrayList<>();
    }

    @Override
    public int compareTo(Generics<T> other) {
        return 0;
    }
}
