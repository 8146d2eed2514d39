package bank;

/** Currencies with their value in thousandths of a euro. */
public enum Currency {
    EUR(1000),
    USD(920),
    JPY(6);

    private final int perThousand;

    Currency(int perThousand) {
        this.perThousand = perThousand;
    }

    int perThousand() {
        return perThousand;
    }
}
