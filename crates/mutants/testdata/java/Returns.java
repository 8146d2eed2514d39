import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/** Every kind of result. */
class Returns<T> {
    T value;

    boolean truth(int a) {
        return a > 3;
    }

    boolean constantTruth() {
        return true;
    }

    byte aByte(byte a) {
        return a;
    }

    char aChar(char a) {
        return a;
    }

    short aShort(short a) {
        return a;
    }

    int anInt(int a) {
        return a;
    }

    int zero() {
        return 0;
    }

    int one() {
        return 1;
    }

    long aLong(long a) {
        return a;
    }

    float aFloat(float a) {
        return a;
    }

    double aDouble(double a) {
        return a;
    }

    Boolean boxedTruth(Boolean a) {
        return a;
    }

    Integer boxedInt(Integer a) {
        return a;
    }

    Integer boxedZero() {
        return 0;
    }

    Long boxedLong(Long a) {
        return a;
    }

    Double boxedDouble(Double a) {
        return a;
    }

    Character boxedChar(Character a) {
        return a;
    }

    String text(String a) {
        return a;
    }

    String emptyText() {
        return "";
    }

    T any() {
        return value;
    }

    Object nothing() {
        return null;
    }

    int[] array(int[] a) {
        return a;
    }

    List<T> list() {
        return new ArrayList<>();
    }

    List<T> emptyList() {
        return Collections.emptyList();
    }

    Collection<T> collection(List<T> a) {
        return a;
    }

    Set<T> set(Set<T> a) {
        return a;
    }

    Map<T, T> map(Map<T, T> a) {
        return a;
    }

    Iterator<T> iterator(List<T> a) {
        return a.iterator();
    }

    Optional<T> optional(T a) {
        return Optional.of(a);
    }

    OptionalInt optionalInt(int a) {
        return OptionalInt.of(a);
    }

    Stream<T> stream(List<T> a) {
        return a.stream();
    }

    int either(boolean a) {
        return a ? 0 : 7;
    }
}
