/*
 * stats: statistics of tables of numbers.
 *
 * usage: stats [-m MODE] [-b BAD] [-p DIGITS] [-s SEPARATOR] [-h] [-t] [FILE]
 *
 *   FILE          the tables to read; absent or "-" means standard input
 *   -m MODE       what is printed for each table (default rows)
 *                   rows     count, sum, mean, variance and median of each row
 *                   columns  the same of each column
 *                   chi      chi-square test of independence of a table of counts
 *                   totals   sums of rows and columns, and of everything
 *   -b BAD        what a bad row does (default skip)
 *                   skip     the row is left out
 *                   zero     its bad fields count as 0, its missing fields too
 *                   stop     reading ends with exit code 1; tables before are printed
 *   -p DIGITS     digits after the point, 0 to 9 (default 3)
 *   -s SEPARATOR  one of space, comma, tab, semicolon (default space: any run of
 *                 blanks; with the others an empty field is a missing value)
 *   -h            the first row of each table holds names
 *   -t            trim: with 5 values or more, the least and the greatest are left
 *                 out of mean and variance (rows and columns only)
 *
 * Input: tables are separated by blank lines; a line that starts with # is
 * ignored. A field is a number (digits, perhaps a sign, a point, an exponent;
 * below 1e9 in size), or "-" or "NA" for a missing value. The first row sets the number
 * of columns. A row is bad if it has another number of fields or a field that
 * is no number. At most 50 rows, 20 columns, 1000 bytes per line.
 * In mode chi a missing or negative value makes the table invalid, and rows
 * and columns whose sum is 0 are left out.
 *
 * Exit codes: 0 fine, 1 some row was bad, 2 wrong usage, 3 a file cannot be
 * read, 4 a table is invalid or too large (it is reported and passed over; 4
 * goes before 1).
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 50, COLUMNS_MAX = 20, LINE_MAX_LENGTH = 1000, NAME_LENGTH = 16 };
enum mode { BY_ROW, BY_COLUMN, CHI, TOTALS };
enum bad { SKIP, ZERO, STOP };

struct cell {
    bool missing;
    double value;
};

struct table {
    int number, rows, columns;
    struct cell cells[ROWS_MAX][COLUMNS_MAX];
    char names[COLUMNS_MAX][NAME_LENGTH + 1];
    bool named, too_large;
};

static enum mode mode = BY_ROW;
static enum bad on_bad = SKIP;
static int digits = 3;
static char separator = ' ';
static bool has_header, trimmed;
static int bad_rows, invalid_tables, line_number;

static void usage(const char *why) {
    fprintf(stderr, "stats: %s\n", why);
    fprintf(stderr, "usage: stats [-m MODE] [-b BAD] [-p DIGITS] [-s SEPARATOR] [-h] [-t] [FILE]\n");
    exit(2);
}

/* Square root by Newton's method, from above. */
static double root(double x) {
    if (x <= 0.0) return 0.0;
    double guess = x > 1.0 ? x : 1.0;
    for (int i = 0; i < 600; i++) {
        double next = (guess + x / guess) / 2.0;
        if (next >= guess) break;
        guess = next;
    }
    return guess;
}

/* Whether a field is a number of the input language, which is smaller than that of strtod. */
static bool is_number(const char *s) {
    int whole = 0, fraction = 0;
    if (*s == '+' || *s == '-') s++;
    for (; isdigit((unsigned char)*s); s++) whole++;
    if (*s == '.') {
        s++;
        for (; isdigit((unsigned char)*s); s++) fraction++;
    }
    if (whole + fraction == 0) return false;
    if (*s == 'e' || *s == 'E') {
        s++;
        if (*s == '+' || *s == '-') s++;
        if (!isdigit((unsigned char)*s)) return false;
        while (isdigit((unsigned char)*s)) s++;
    }
    return *s == '\0';
}

/* Reads one field; false if it is neither a number nor missing. */
static bool read_cell(const char *field, struct cell *cell) {
    cell->missing = *field == '\0' || strcmp(field, "-") == 0 || strcmp(field, "NA") == 0;
    cell->value = 0.0;
    if (cell->missing) return true;
    if (!is_number(field)) return false;
    double value = strtod(field, NULL);
    if (value <= -1e9 || value >= 1e9) return false;
    cell->value = value;
    return true;
}

/* Cuts a line into fields in place; returns how many, at most COLUMNS_MAX + 1. */
static int cut(char *line, char **fields) {
    int count = 0;
    if (separator == ' ') {
        for (char *word = strtok(line, " \t"); word != NULL; word = strtok(NULL, " \t")) {
            fields[count++] = word;
            if (count > COLUMNS_MAX) break;
        }
        return count;
    }
    for (char *at = line; at != NULL && count <= COLUMNS_MAX;) {
        char *end = strchr(at, separator);
        if (end != NULL) *end++ = '\0';
        while (*at == ' ') at++;
        size_t n = strlen(at);
        while (n > 0 && at[n - 1] == ' ') at[--n] = '\0';
        fields[count++] = at;
        at = end;
    }
    return count;
}

static void take_header(struct table *table, char **fields, int count) {
    table->named = true;
    table->columns = count;
    for (int c = 0; c < count; c++) snprintf(table->names[c], NAME_LENGTH + 1, "%s", fields[c]);
}

/* Adds a row to the table; false if reading must stop. */
static bool take_row(struct table *table, char *line) {
    char *fields[COLUMNS_MAX + 1];
    struct cell row[COLUMNS_MAX];
    int count = cut(line, fields);
    bool bad = false;
    if (count > COLUMNS_MAX) {
        table->too_large = true;
        return true;
    }
    if (table->columns == 0 && has_header) {
        take_header(table, fields, count);
        return true;
    }
    if (table->columns == 0) table->columns = count;
    if (count != table->columns) bad = true;
    for (int c = 0; c < table->columns; c++) {
        row[c] = (struct cell){false, 0.0};
        if (c < count && !read_cell(fields[c], &row[c])) bad = true;
    }
    if (bad) {
        fprintf(stderr, "stats: line %d: bad row\n", line_number);
        bad_rows++;
        if (on_bad == STOP) return false;
        if (on_bad == SKIP) return true;
        for (int c = 0; c < table->columns; c++) row[c].missing = false;
    }
    if (table->rows == ROWS_MAX) {
        table->too_large = true;
        return true;
    }
    memcpy(table->cells[table->rows++], row, sizeof row);
    return true;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

static double sum_of(const double *values, int from, int to) {
    double sum = 0.0;
    for (int i = from; i < to; i++) sum += values[i];
    return sum;
}

static void print_value(double value) {
    /* No negative zero: it would depend on the order of the sums. */
    double half = 0.5;
    for (int i = 0; i < digits; i++) half /= 10.0;
    if (value < 0.0 && value > -half) value = 0.0;
    printf(" %.*f", digits, value);
}

static void describe(double *values, int count) {
    printf(" n %d sum", count);
    print_value(sum_of(values, 0, count));
    if (count == 0) {
        printf(" mean na variance na median na\n");
        return;
    }
    qsort(values, (size_t)count, sizeof *values, compare);
    int from = 0, to = count;
    if (trimmed && count >= 5) {
        from++;
        to--;
    }
    double mean = sum_of(values, from, to) / (to - from);
    printf(" mean");
    print_value(mean);
    printf(" variance");
    if (to - from < 2) {
        printf(" na");
    } else {
        double squares = 0.0;
        for (int i = from; i < to; i++) squares += (values[i] - mean) * (values[i] - mean);
        print_value(squares / (to - from - 1));
        if (mean > 0.0) {
            printf(" cv");
            print_value(root(squares / (to - from - 1)) / mean);
        }
    }
    printf(" median");
    print_value(count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2.0);
    printf("\n");
}

static void print_column_name(const struct table *table, int c) {
    if (table->named && table->names[c][0] != '\0') {
        printf("%s", table->names[c]);
    } else {
        printf("column %d", c + 1);
    }
}

static void print_lines(const struct table *table, bool by_row) {
    double values[ROWS_MAX + COLUMNS_MAX];
    int lines = by_row ? table->rows : table->columns;
    int across = by_row ? table->columns : table->rows;
    for (int i = 0; i < lines; i++) {
        int count = 0;
        for (int j = 0; j < across; j++) {
            const struct cell *cell = by_row ? &table->cells[i][j] : &table->cells[j][i];
            if (!cell->missing) values[count++] = cell->value;
        }
        if (by_row) {
            printf("row %d", i + 1);
        } else {
            print_column_name(table, i);
        }
        printf(":");
        describe(values, count);
    }
}

static void sums(const struct table *table, double *row_sums, double *column_sums, double *all) {
    memset(row_sums, 0, ROWS_MAX * sizeof *row_sums);
    memset(column_sums, 0, COLUMNS_MAX * sizeof *column_sums);
    *all = 0.0;
    for (int r = 0; r < table->rows; r++) {
        for (int c = 0; c < table->columns; c++) {
            row_sums[r] += table->cells[r][c].value;
            column_sums[c] += table->cells[r][c].value;
            *all += table->cells[r][c].value;
        }
    }
}

static void print_totals(const struct table *table) {
    double row_sums[ROWS_MAX], column_sums[COLUMNS_MAX], all;
    sums(table, row_sums, column_sums, &all);
    for (int r = 0; r < table->rows; r++) {
        printf("row %d:", r + 1);
        print_value(row_sums[r]);
        if (all > 0.0 && row_sums[r] >= 0.0) printf(" (%.0f%%)", 100.0 * row_sums[r] / all);
        printf("\n");
    }
    for (int c = 0; c < table->columns; c++) {
        print_column_name(table, c);
        printf(":");
        print_value(column_sums[c]);
        printf("\n");
    }
    printf("all:");
    print_value(all);
    printf("\n");
}

/* The 5 % and 1 % points of chi-square; above 10 degrees by Fisher's approximation. */
static double critical(int degrees, bool strict) {
    static const double five[] = {3.841, 5.991, 7.815, 9.488, 11.070, 12.592, 14.067, 15.507, 16.919, 18.307};
    static const double one[] = {6.635, 9.210, 11.345, 13.277, 15.086, 16.812, 18.475, 20.090, 21.666, 23.209};
    if (degrees <= 10) return strict ? one[degrees - 1] : five[degrees - 1];
    double z = (strict ? 2.326 : 1.645) + root(2.0 * degrees - 1.0);
    return z * z / 2.0;
}

static bool valid_counts(const struct table *table) {
    for (int r = 0; r < table->rows; r++) {
        for (int c = 0; c < table->columns; c++) {
            if (table->cells[r][c].missing || table->cells[r][c].value < 0.0) return false;
        }
    }
    return true;
}

static void print_chi(const struct table *table) {
    double row_sums[ROWS_MAX], column_sums[COLUMNS_MAX], all, chi = 0.0, least = 1e300;
    int rows = 0, columns = 0;
    sums(table, row_sums, column_sums, &all);
    for (int r = 0; r < table->rows; r++) rows += row_sums[r] > 0.0 ? 1 : 0;
    for (int c = 0; c < table->columns; c++) columns += column_sums[c] > 0.0 ? 1 : 0;
    int degrees = (rows - 1) * (columns - 1);
    if (rows < 2 || columns < 2) {
        printf("no test: fewer than two rows or columns\n");
        return;
    }
    for (int r = 0; r < table->rows; r++) {
        for (int c = 0; c < table->columns; c++) {
            double expected = row_sums[r] / all * column_sums[c];
            if (expected <= 0.0) continue;
            double off = table->cells[r][c].value - expected;
            if (off < 0.0) off = -off;
            if (degrees == 1) off = off > 0.5 ? off - 0.5 : 0.0; /* Yates */
            chi += off * off / expected;
            if (expected < least) least = expected;
        }
    }
    printf("chi-square");
    print_value(chi);
    printf(" degrees %d cramer", degrees);
    print_value(root(chi / (all * ((rows < columns ? rows : columns) - 1))));
    printf(" %s", chi >= critical(degrees, true)    ? "highly significant"
                  : chi >= critical(degrees, false) ? "significant"
                                                    : "not significant");
    printf("%s\n", least < 5.0 ? " (small expected counts)" : "");
}

static void print_table(struct table *table) {
    if (table->rows == 0 && !table->too_large) return;
    table->number++;
    printf("table %d: %d x %d\n", table->number, table->rows, table->columns);
    if (table->too_large || (mode == CHI && !valid_counts(table))) {
        printf("invalid: %s\n", table->too_large ? "too large" : "not a table of counts");
        invalid_tables++;
    } else if (mode == CHI) {
        print_chi(table);
    } else if (mode == TOTALS) {
        print_totals(table);
    } else {
        print_lines(table, mode == BY_ROW);
    }
}

static void read_tables(FILE *in) {
    static struct table table;
    static char line[LINE_MAX_LENGTH + 2];
    bool go_on = true;
    while (go_on && fgets(line, sizeof line, in) != NULL) {
        line_number++;
        size_t n = strlen(line);
        if (n > 0 && line[n - 1] != '\n' && !feof(in)) {
            int c;
            while ((c = getc(in)) != EOF && c != '\n') continue;
            table.too_large = true;
            continue;
        }
        while (n > 0 && (line[n - 1] == '\n' || line[n - 1] == '\r')) line[--n] = '\0';
        if (line[0] == '#') continue;
        if (line[strspn(line, " \t")] == '\0') {
            print_table(&table);
            int number = table.number;
            memset(&table, 0, sizeof table);
            table.number = number;
        } else {
            go_on = take_row(&table, line);
        }
    }
    if (go_on) print_table(&table);
}

/* The place of a word in a list that ends with NULL; wrong usage if it is not there. */
static int choose(const char *word, const char *const *words) {
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(word, words[i]) == 0) return i;
    }
    usage("unknown word after an option");
    return -1;
}

static const char *read_options(int argc, char **argv) {
    static const char *const modes[] = {"rows", "columns", "chi", "totals", NULL};
    static const char *const bads[] = {"skip", "zero", "stop", NULL};
    static const char *const separators[] = {"space", "comma", "tab", "semicolon", NULL};
    int i = 1;
    for (; i < argc && argv[i][0] == '-' && argv[i][1] != '\0'; i++) {
        char option = argv[i][2] == '\0' ? argv[i][1] : '?';
        if (option == 'h') {
            has_header = true;
            continue;
        }
        if (option == 't') {
            trimmed = true;
            continue;
        }
        if (strchr("mbps", option) == NULL || i + 1 == argc) usage("unknown option or missing value");
        const char *word = argv[++i];
        if (option == 'm') mode = (enum mode)choose(word, modes);
        if (option == 'b') on_bad = (enum bad)choose(word, bads);
        if (option == 's') separator = " ,\t;"[choose(word, separators)];
        if (option == 'p') {
            if (!isdigit((unsigned char)word[0]) || word[1] != '\0') usage("-p needs one digit");
            digits = word[0] - '0';
        }
    }
    if (argc - i > 1) usage("more than one file");
    if (trimmed && mode != BY_ROW && mode != BY_COLUMN) usage("-t goes with rows and columns only");
    return i < argc ? argv[i] : "-";
}

int main(int argc, char **argv) {
    const char *path = read_options(argc, argv);
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (in == NULL) {
        fprintf(stderr, "stats: cannot open %s\n", path);
        return 3;
    }
    read_tables(in);
    if (ferror(in)) {
        fprintf(stderr, "stats: cannot read %s\n", path);
        return 3;
    }
    return invalid_tables > 0 ? 4 : bad_rows > 0 ? 1 : 0;
}
