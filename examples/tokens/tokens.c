/*
 * tokens: split the text of a small language into tokens and print them.
 *
 * usage: tokens [-f FORM] [-t WIDTH] [-m MAX] [-i] [-c] [-b] [FILE]
 *
 *   FILE       the text to read; absent or "-" means standard input
 *   -f FORM    form of the output (default long)
 *                long   one token per line: line:column kind text [= value]
 *                short  one line of output per line of text, kinds only
 *                count  only how many tokens of each kind there are
 *   -t WIDTH   distance of tab stops when columns are counted, 1 to 16 (default 8)
 *   -m MAX     stop after MAX error tokens, 1 to 1000 (default: never)
 *   -i         keywords are recognised in any mixture of case
 *   -c         comments are printed as tokens (they are dropped otherwise)
 *   -b         check that brackets match; a wrong one is an error token
 *
 * The language
 *   keywords    if else while for in fn let return true false nil; a word after
 *               a single "." is always an identifier; "in" is a keyword only
 *               between a "for" and the next ";" or "{"
 *   identifiers a letter or "_", then letters, digits and "_"; at most 31 bytes
 *   integers    decimal without leading zeros, 0x, 0o or 0b in either case;
 *               "_" between two digits; suffixes u, l, ul. Without "l" the value
 *               must be below 2^32, with it below 2^64
 *   floats      digits "." digits, or an exponent, or both; suffix f
 *   strings     "..." with escapes \n \t \r \0 \\ \" \' \xHH \u{H...}; r"..."
 *               takes no escapes; neither spans lines; """...""" may span lines
 *   characters  '.' with one byte or one escape
 *   comments    // to the end of the line; slash-star to star-slash, which nest
 *   directives  # as the first visible byte of a line, to the end of the line;
 *               a backslash before the end continues on the next line
 *   operators   see the table in the source; the longest one is taken
 *
 * Exit codes: 0 no error token, 1 at least one error token, 2 wrong usage,
 * 3 the text cannot be read or is longer than 65536 bytes.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 65536, NAME_MAX_LENGTH = 31, DEPTH_MAX = 64, NUMBER_MAX = 64 };
enum kind { IDENT, KEYWORD, INTEGER, FLOAT, STRING, CHARACTER, DIRECTIVE, OPERATOR, COMMENT, ERROR, KINDS };
enum form { LONG, SHORT, COUNT };

static const char *const kind_names[KINDS] = {"ident",     "keyword",  "integer", "float", "string", "char",
                                              "directive", "operator", "comment", "error"};
static const char *const keywords[] = {"if",  "else",   "while", "for",   "in", "fn",
                                       "let", "return", "true",  "false", "nil"};
static const char *const operators[] = {"<<=", ">>=", "..=", "...", "==", "!=", "<=", ">=", "&&", "||", "<<",
                                        ">>",  "->",  "=>",  "::",  "..", "+=", "-=", "*=", "/=", "%=", "??",
                                        "+",   "-",   "*",   "/",   "%",  "=",  "<",  ">",  "!",  "&",  "|",
                                        "^",   "~",   "?",   ":",   ";",  ",",  ".",  "(",  ")",  "[",  "]",
                                        "{",   "}"};

static char text[TEXT_MAX + 1];
static size_t length, position;
static int line = 1, column = 1;

static enum form form = LONG;
static int tab_width = 8, error_limit = 0;
static bool any_case, keep_comments, check_brackets;

static int counts[KINDS];
static int short_line; /* the line of the text that the short form is on */
static bool after_dot, in_for;
static char open_brackets[DEPTH_MAX];
static int depth;

static char value[TEXT_MAX + 32]; /* what stands after "=" in the long form */
static const char *problem;       /* why the token is an error, or NULL */

static int peek(size_t ahead) {
    return position + ahead < length ? (unsigned char)text[position + ahead] : -1;
}

static void step(void) {
    int c = peek(0);
    position++;
    if (c == '\n') {
        line++;
        column = 1;
    } else if (c == '\t') {
        column += tab_width - (column - 1) % tab_width;
    } else {
        column++;
    }
}

static void skip(size_t n) {
    while (n-- > 0 && position < length) step();
}

static bool starts_with(const char *s) {
    size_t n = strlen(s);
    return n <= length - position && memcmp(text + position, s, n) == 0;
}

static void fail(const char *reason) {
    if (problem == NULL) problem = reason;
}

static int digit_value(int c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 99;
}

/* Appends one byte of a string's value in printable form. */
static void put_value(size_t *at, int byte) {
    if (*at + 5 >= sizeof value) return;
    if (byte >= ' ' && byte < 127 && byte != '\\') {
        value[(*at)++] = (char)byte;
    } else {
        *at += (size_t)snprintf(value + *at, 5, "\\x%02x", (unsigned)byte);
    }
    value[*at] = '\0';
}

/* Appends a code point as UTF-8. */
static void put_code_point(size_t *at, unsigned code) {
    static const unsigned leads[] = {0, 0xc0, 0xe0, 0xf0};
    int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    put_value(at, (int)(leads[more] | code >> 6 * more));
    while (more-- > 0) put_value(at, (int)(0x80 | (code >> 6 * more & 0x3f)));
}

static void scan_unicode_escape(size_t *at) {
    unsigned code = 0;
    int digits = 0;
    if (peek(0) != '{') {
        fail("escape needs a brace");
        return;
    }
    step();
    while (digit_value(peek(0)) < 16 && digits < 6) {
        code = code * 16 + (unsigned)digit_value(peek(0));
        digits++;
        step();
    }
    if (digits == 0 || peek(0) != '}') {
        fail("malformed code point");
        return;
    }
    step();
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
        fail("no such code point");
        return;
    }
    put_code_point(at, code);
}

/* Scans what follows a backslash. */
static void scan_escape(size_t *at) {
    static const char names[] = "ntr0\\\"'";
    static const char bytes[] = "\n\t\r\0\\\"'";
    int c = peek(0);
    const char *found = c > 0 ? strchr(names, c) : NULL;
    if (found != NULL) {
        put_value(at, (unsigned char)bytes[found - names]);
        step();
    } else if (c == 'x') {
        int high = digit_value(peek(1));
        int low = digit_value(peek(2));
        step();
        if (high > 15 || low > 15) {
            fail("escape needs two hexadecimal digits");
            return;
        }
        put_value(at, high * 16 + low);
        skip(2);
    } else if (c == 'u') {
        step();
        scan_unicode_escape(at);
    } else {
        fail("unknown escape");
        if (c != '\n' && c != -1) step();
    }
}

static enum kind scan_string(bool raw) {
    size_t at = 0;
    bool triple = !raw && starts_with("\"\"\"");
    skip(triple ? 3 : 1);
    for (;;) {
        int c = peek(0);
        if (c == -1 || (c == '\n' && !triple)) {
            fail("unterminated string");
            break;
        }
        if (triple ? starts_with("\"\"\"") : c == '"') {
            skip(triple ? 3 : 1);
            break;
        }
        step();
        if (c == '\\' && !raw) {
            scan_escape(&at);
        } else {
            put_value(&at, c);
        }
    }
    return STRING;
}

static enum kind scan_character(void) {
    size_t at = 0;
    int bytes = 0;
    step();
    while (peek(0) != '\'' && peek(0) != '\n' && peek(0) != -1) {
        int c = peek(0);
        step();
        if (c == '\\') {
            scan_escape(&at);
        } else {
            put_value(&at, c);
        }
        bytes++;
    }
    if (peek(0) != '\'') {
        fail("unterminated character");
        return CHARACTER;
    }
    step();
    if (bytes == 0) fail("empty character");
    if (bytes > 1) fail("more than one character");
    return CHARACTER;
}

/* Scans digits of a base with "_" between them; returns how many digits. */
static int scan_digits(int base, char *digits, int used) {
    int count = 0;
    bool last_underscore = false;
    while (peek(0) == '_' || digit_value(peek(0)) < (base == 16 ? 16 : 10)) {
        if (peek(0) == '_') {
            if (count == 0 || last_underscore) fail("misplaced underscore");
            last_underscore = true;
        } else {
            if (digit_value(peek(0)) >= base) fail("digit out of base");
            if (used + count + 1 < NUMBER_MAX) {
                digits[used + count] = (char)peek(0);
                digits[used + count + 1] = '\0';
            }
            last_underscore = false;
            count++;
        }
        step();
    }
    if (last_underscore) fail("misplaced underscore");
    return count;
}

static void finish_integer(const char *digits, int base) {
    unsigned long long number = 0;
    bool is_long = false, too_large = false;
    for (const char *d = digits; *d != '\0'; d++) {
        unsigned next = (unsigned)digit_value(*d);
        if (number > (~0ULL - next) / (unsigned)base) too_large = true;
        number = number * (unsigned)base + next;
    }
    if (peek(0) == 'u' || peek(0) == 'U') step();
    if (peek(0) == 'l' || peek(0) == 'L') {
        is_long = true;
        step();
    }
    if (too_large) {
        fail("number too large");
    } else if (!is_long && number > 0xffffffffULL) {
        fail("number needs suffix l");
    }
    snprintf(value, sizeof value, "%llu", number);
}

static bool scan_exponent(char *digits, int *used) {
    size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if ((peek(0) != 'e' && peek(0) != 'E') || !isdigit(peek(1 + sign))) return false;
    if (*used + 2 < NUMBER_MAX) {
        digits[(*used)++] = 'e';
        if (sign == 1) digits[(*used)++] = (char)peek(1);
        digits[*used] = '\0';
    }
    skip(1 + sign);
    *used += scan_digits(10, digits, *used);
    return true;
}

static enum kind scan_number(void) {
    char digits[NUMBER_MAX] = "";
    int base = 10, used;
    bool is_float = false;
    if (peek(0) == '0') {
        int mark = tolower(peek(1));
        base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
        if (base != 10) skip(2);
    }
    used = scan_digits(base, digits, 0);
    if (used == 0) fail("no digits after base");
    if (base == 10 && peek(0) == '.' && isdigit(peek(1))) {
        if (used + 1 < NUMBER_MAX) strcat(digits, ".");
        step();
        used++;
        used += scan_digits(10, digits, used);
        is_float = true;
    }
    if (base == 10 && scan_exponent(digits, &used)) is_float = true;
    if (used >= NUMBER_MAX - 1) {
        fail("number too long");
    } else if (is_float) {
        double number = strtod(digits, NULL);
        if (number > 1e300) fail("number too large");
        if (peek(0) == 'f' || peek(0) == 'F') step();
        snprintf(value, sizeof value, "%.9g", number);
    } else {
        if (base == 10 && used > 1 && digits[0] == '0') fail("leading zero");
        finish_integer(digits, base);
    }
    if (isalnum(peek(0)) || peek(0) == '_') {
        fail("bad suffix");
        while (isalnum(peek(0)) || peek(0) == '_') step();
    }
    return is_float ? FLOAT : INTEGER;
}

static bool same_word(const char *word, const char *start, size_t n) {
    if (strlen(word) != n) return false;
    for (size_t i = 0; i < n; i++) {
        int c = (unsigned char)start[i];
        if (word[i] != (any_case ? tolower(c) : c)) return false;
    }
    return true;
}

static enum kind scan_word(void) {
    size_t start = position, n;
    while (isalnum(peek(0)) || peek(0) == '_') step();
    n = position - start;
    if (n > NAME_MAX_LENGTH) fail("name too long");
    if (after_dot) return IDENT;
    for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++) {
        if (!same_word(keywords[k], text + start, n)) continue;
        if (strcmp(keywords[k], "in") == 0 && !in_for) break;
        if (strcmp(keywords[k], "for") == 0) in_for = true;
        snprintf(value, sizeof value, "%s", keywords[k]);
        return KEYWORD;
    }
    return IDENT;
}

static enum kind scan_comment(void) {
    int level = 0;
    if (starts_with("//")) {
        while (peek(0) != '\n' && peek(0) != -1) step();
        return COMMENT;
    }
    do {
        if (peek(0) == -1) {
            fail("unterminated comment");
            break;
        }
        if (starts_with("/*")) {
            level++;
            skip(2);
        } else if (starts_with("*/")) {
            level--;
            skip(2);
        } else {
            step();
        }
    } while (level > 0);
    return COMMENT;
}

static enum kind scan_directive(void) {
    while (peek(0) != -1 && peek(0) != '\n') {
        if (peek(0) == '\\' && peek(1) == '\n') step();
        step();
    }
    return DIRECTIVE;
}

static void check_bracket(char c) {
    static const char opening[] = "([{", closing[] = ")]}";
    const char *at;
    if (strchr(opening, c) != NULL) {
        if (depth >= DEPTH_MAX) {
            fail("brackets too deep");
            return;
        }
        open_brackets[depth++] = c;
    } else if ((at = strchr(closing, c)) != NULL) {
        if (depth == 0) {
            fail("bracket was never opened");
        } else if (open_brackets[--depth] != opening[at - closing]) {
            fail("bracket closes another kind");
        }
    }
}

static enum kind scan_operator(void) {
    for (size_t k = 0; k < sizeof operators / sizeof *operators; k++) {
        if (!starts_with(operators[k])) continue;
        char first = operators[k][0];
        if (first == ';' || first == '{') in_for = false;
        if (check_brackets && operators[k][1] == '\0') check_bracket(first);
        skip(strlen(operators[k]));
        return OPERATOR;
    }
    fail("unknown character");
    step();
    return ERROR;
}

static enum kind scan_token(bool first_on_line) {
    int c = peek(0);
    if (c == '#' && first_on_line) return scan_directive();
    if (c == '/' && (peek(1) == '/' || peek(1) == '*')) return scan_comment();
    if (c == '"') return scan_string(false);
    if (c == 'r' && peek(1) == '"') {
        step();
        return scan_string(true);
    }
    if (c == '\'') return scan_character();
    if (isdigit(c)) return scan_number();
    if (isalpha(c) || c == '_') return scan_word();
    return scan_operator();
}

static void print_text(size_t start, size_t end) {
    for (size_t i = start; i < end; i++) {
        int c = (unsigned char)text[i];
        if (c >= ' ' && c < 127) {
            putchar(c);
        } else {
            printf("\\x%02x", (unsigned)c);
        }
    }
}

static void print_token(enum kind kind, size_t start, size_t end, int at_line, int at_column) {
    counts[kind]++;
    if (form == SHORT) {
        if (short_line != 0) putchar(at_line != short_line ? '\n' : ' ');
        short_line = at_line;
        fputs(kind_names[kind], stdout);
    } else if (form == LONG) {
        printf("%d:%d %s ", at_line, at_column, kind_names[kind]);
        print_text(start, end);
        if (kind == ERROR) {
            printf(" (%s)", problem);
        } else if (kind >= INTEGER && kind <= CHARACTER) {
            printf(" = %s", value);
        }
        putchar('\n');
    }
}

static void scan_all(void) {
    int last_line = 0;
    while (position < length) {
        if (isspace(peek(0))) {
            step();
            continue;
        }
        size_t start = position;
        int at_line = line, at_column = column;
        value[0] = '\0';
        problem = NULL;
        enum kind kind = scan_token(at_line != last_line);
        if (problem != NULL) kind = ERROR;
        last_line = line;
        if (kind == COMMENT && !keep_comments) continue;
        if (kind != COMMENT) after_dot = kind == OPERATOR && position - start == 1 && text[start] == '.';
        print_token(kind, start, position, at_line, at_column);
        if (error_limit > 0 && counts[ERROR] >= error_limit) {
            fprintf(stderr, "tokens: stopped after %d errors\n", counts[ERROR]);
            return;
        }
    }
    if (depth > 0) {
        problem = "bracket is never closed";
        print_token(ERROR, length, length, line, column);
    }
}

static void usage(const char *why) {
    fprintf(stderr, "tokens: %s\nusage: tokens [-f FORM] [-t WIDTH] [-m MAX] [-i] [-c] [-b] [FILE]\n", why);
    exit(2);
}

static int read_number(const char *s, int least, int most) {
    char *end;
    long n = strtol(s, &end, 10);
    if (end == s || *end != '\0' || n < least || n > most) usage("bad number");
    return (int)n;
}

static const char *read_options(int argc, char **argv) {
    int i = 1;
    for (; i < argc && argv[i][0] == '-' && argv[i][1] != '\0'; i++) {
        const char *option = argv[i];
        if (strcmp(option, "-i") == 0) {
            any_case = true;
        } else if (strcmp(option, "-c") == 0) {
            keep_comments = true;
        } else if (strcmp(option, "-b") == 0) {
            check_brackets = true;
        } else if (i + 1 == argc) {
            usage("unknown option or missing value");
        } else if (strcmp(option, "-t") == 0) {
            tab_width = read_number(argv[++i], 1, 16);
        } else if (strcmp(option, "-m") == 0) {
            error_limit = read_number(argv[++i], 1, 1000);
        } else if (strcmp(option, "-f") == 0) {
            const char *name = argv[++i];
            if (strcmp(name, "long") != 0 && strcmp(name, "short") != 0 && strcmp(name, "count") != 0)
                usage("unknown form");
            form = name[0] == 'l' ? LONG : name[0] == 's' ? SHORT : COUNT;
        } else {
            usage("unknown option");
        }
    }
    if (argc - i > 1) usage("more than one file");
    return i < argc ? argv[i] : "-";
}

int main(int argc, char **argv) {
    const char *path = read_options(argc, argv);
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (in == NULL) {
        fprintf(stderr, "tokens: cannot open %s\n", path);
        return 3;
    }
    length = fread(text, 1, TEXT_MAX + 1, in);
    if (ferror(in) || length > TEXT_MAX) {
        fprintf(stderr, "tokens: cannot read %s, or it is too long\n", path);
        return 3;
    }
    scan_all();
    if (form == SHORT && short_line != 0) putchar('\n');
    for (int k = 0; form == COUNT && k < KINDS; k++) {
        if (counts[k] > 0) printf("%s %d\n", kind_names[k], counts[k]);
    }
    return counts[ERROR] > 0 ? 1 : 0;
}
