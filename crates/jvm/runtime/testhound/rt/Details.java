package testhound.rt;

/** Writes the dear parts of an observation. */
final class Details {
    private static final int DISTANCES = 16;
    private static final int SIDES = 32;
    private static final int TRACE = 64;
    private static final int PATHS = 128;

    private Details() {}

    static void write(int needs, Out out) {
        if ((needs & DISTANCES) != 0) {
            out.varint(Probes.approached);
            for (int i = 0; i < Probes.approached; i++) {
                out.varint(Probes.APPROACHED[i]);
                out.i64(Double.doubleToLongBits(Probes.DISTANCES[Probes.APPROACHED[i]]));
            }
            pairs(Probes.SELECTED, Probes.selected, out);
        }
        if ((needs & SIDES) != 0) {
            out.varint(Probes.sides);
            for (int i = 0; i < Probes.sides; i++) {
                out.varint(Probes.SIDES[i]);
                out.u8(Probes.SIDE_COUNTS[Probes.SIDES[i]]);
            }
        }
        if ((needs & TRACE) != 0) {
            out.varint(Probes.traced);
            for (int i = 0; i < Probes.traced; i++) {
                out.varint(Probes.TRACE[i]);
            }
        }
        if ((needs & PATHS) != 0) {
            pairs(Probes.PATHS, Probes.paths, out);
        }
    }

    private static void pairs(int[] pairs, int count, Out out) {
        out.varint(count);
        for (int i = 0; i < count; i++) {
            out.varint(pairs[2 * i]);
            out.varint(pairs[2 * i + 1]);
        }
    }
}
