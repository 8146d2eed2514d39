package members;

class Hidden implements Comparable<Hidden> {
    public int compareTo(Hidden other) {
        return 0;
    }
}

@Deprecated
class Old {
    void use() {
    }
}
