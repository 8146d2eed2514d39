package demo;

import java.util.ArrayList;
import java.util.List;

public class Stack<T> {
    private final List<T> elements = new ArrayList<>();

    public Stack<T> push(T element) {
        elements.add(element);
        return this;
    }

    public T pop() {
        if (elements.isEmpty()) {
            throw new IllegalStateException("empty");
        }
        return elements.remove(elements.size() - 1);
    }

    public int size() {
        return elements.size();
    }

    public boolean isEmpty() {
        return elements.isEmpty();
    }

    public List<T> elements() {
        return elements;
    }

    @Override
    public String toString() {
        return elements.toString();
    }
}
