package hidden;

import java.io.IOException;

class Door {
    private static final class Secret implements Comparable<Secret> {
        @Override
        public int compareTo(Secret other) {
            return 0;
        }

        @Override
        public java.lang.String toString() {
            return "secret";
        }
    }

    static class Locked extends Exception {
        private static final long serialVersionUID = 1;
    }

    Comparable<?> secret() {
        return new Secret();
    }

    void open(int key) throws IOException, Locked {
        if (key == 1) {
            throw new Locked();
        }
        if (key == 2) {
            throw new IOException("stuck");
        }
    }

    int größe() {
        return 2;
    }
}
