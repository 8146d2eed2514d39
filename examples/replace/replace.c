/*
 * replace: replace what matches a pattern in each line of standard input.
 *
 * usage: replace [-g | -n N] [-i] [-w] [-p | -c] PATTERN SUBSTITUTION
 *
 *   -g     replace every match of a line (default: the first); after an empty
 *          match the search goes on one byte further
 *   -n N   replace only the N-th match of a line, 1 to 100
 *   -i     letters match in either case
 *   -w     a match must not touch a word byte (letter, digit, "_") outside it
 *   -p     print only lines in which something was replaced
 *   -c     print only how many lines changed and how many matches were replaced
 *
 * Patterns: the leftmost match is taken; repetition takes as much as it can
 *   c        the byte itself; .  any byte
 *   [abc]    one of the bytes; a-z is a range; [^abc] none of them; "]" stands
 *            for itself if it comes first, "-" if it comes first or last
 *   %d %l %u %a %w %s  digit, lower, upper, letter, word byte, space; also in [];
 *            %D and so on: anything else (not in [])
 *   %b       a place where a word begins or ends (no byte)
 *   %1..%9   the same bytes as the group has matched
 *   %t %n    tab, newline (a newline never matches); % before any other byte
 *            that is not a letter or digit: that byte
 *   x* x+ x? x repeated 0 or more, 1 or more, 0 or 1 times; a second mark,
 *            as in x*?, asks for as little as possible
 *   x{n,m}   x repeated n to m times (0 to 20); x{n} means x{n,n}
 *   (p)      group, up to 9; p|q  either, tried from the left
 *   ^ $      start and end of the line, anywhere in the pattern
 *
 * Substitution
 *   &        the whole match; %1..%9 what the group matched (nothing if unused)
 *   %t %n    tab, newline; %U %L  upper, lower case until %E or the end;
 *            %C the next byte in upper case; %& %% and other punctuation: itself
 *
 * Every line printed ends in a newline, the last one of the input too.
 *
 * Exit codes: 0 something was replaced, 1 nothing was, 2 wrong usage or
 * substitution, 3 wrong pattern, 4 a line needs too much work or is longer than
 * 2000 bytes (the line is printed unchanged; this code goes before the others).
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CODE_MAX = 2000, CLASS_MAX = 64, GROUPS = 10, SLOTS = 40,
    LINE_MAX_LENGTH = 2000, STEPS_MAX = 200000, DEPTH_MAX = 10000
};
enum operation { BYTE, ANY, CLASS, LINE_START, LINE_END, WORD_EDGE, SAVE, SAME_AS, PROGRESS, JUMP, SPLIT, MATCH };

struct instruction {
    enum operation operation;
    int x, y; /* operand; SPLIT tries x first, then y; both are relative */
};

static struct instruction code[CODE_MAX];
static int code_length, group_count;
static int slot_count = 2 * GROUPS; /* two for each group, then one for each loop */
static bool classes[CLASS_MAX][256];
static int class_count;
static const char *pattern; /* the rest of the pattern while it is compiled */

static bool ignore_case, whole_words, every_match, print_changed, print_counts;
static int wanted = 0; /* which match of a line is replaced; 0 if -n was not given */

static char subject[LINE_MAX_LENGTH + 2];
static int subject_length, steps, saved[SLOTS];

static void bad_pattern(const char *why) {
    fprintf(stderr, "replace: wrong pattern: %s\n", why);
    exit(3);
}

static void usage(const char *why) {
    fprintf(stderr, "replace: %s\nusage: replace [-g | -n N] [-i] [-w] [-p | -c] PATTERN SUBSTITUTION\n", why);
    exit(2);
}

static void emit(enum operation operation, int x, int y) {
    if (code_length == CODE_MAX) bad_pattern("too long");
    code[code_length++] = (struct instruction){operation, x, y};
}

/* Makes room for an instruction before the code that begins at `at`. */
static void insert(int at, enum operation operation, int x, int y) {
    emit(operation, 0, 0);
    memmove(code + at + 1, code + at, (size_t)(code_length - 1 - at) * sizeof *code);
    code[at] = (struct instruction){operation, x, y};
}

static bool is_word(int c) {
    return isalnum(c) || c == '_';
}

/* Whether a byte belongs to a named class such as `d`; -1 if there is no such class. */
static int in_named(int name, int c) {
    switch (name) {
    case 'd':
        return isdigit(c) != 0;
    case 'l':
        return islower(c) != 0;
    case 'u':
        return isupper(c) != 0;
    case 'a':
        return isalpha(c) != 0;
    case 'w':
        return is_word(c);
    case 's':
        return isspace(c) != 0;
    default:
        return -1;
    }
}

static bool *new_class(void) {
    if (class_count == CLASS_MAX) bad_pattern("too many classes");
    return classes[class_count++];
}

/* The byte that an escape stands for; the percent sign has been read. */
static int escaped_byte(void) {
    unsigned char c = (unsigned char)*pattern;
    if (c == '\0') bad_pattern("nothing after %");
    pattern++;
    if (c == 't') return '\t';
    if (c == 'n') return '\n';
    if (isalnum(c)) bad_pattern("unknown escape");
    return c;
}

static void set_byte(bool *class, int c) {
    class[c] = true;
    if (ignore_case) {
        class[tolower(c)] = true;
        class[toupper(c)] = true;
    }
}

/* One byte of a bracket, an escape resolved; -1 after a named class was added. */
static int bracket_byte(bool *class) {
    int c = (unsigned char)*pattern++;
    if (c != '%') return c;
    if (in_named((unsigned char)*pattern, 0) < 0) return escaped_byte();
    for (int b = 0; b < 256; b++) {
        if (in_named((unsigned char)*pattern, b)) set_byte(class, b);
    }
    pattern++;
    return -1;
}

static void compile_bracket(void) {
    bool *class = new_class();
    bool negated = *pattern == '^';
    if (negated) pattern++;
    bool first = true;
    while (first || *pattern != ']') {
        if (*pattern == '\0') bad_pattern("[ is not closed");
        int low = bracket_byte(class);
        int high = low;
        first = false;
        if (low < 0) continue;
        if (pattern[0] == '-' && pattern[1] != ']' && pattern[1] != '\0') {
            pattern++;
            high = bracket_byte(class);
            if (high < low) bad_pattern("range ends before it begins");
        }
        for (int c = low; c <= high; c++) set_byte(class, c);
    }
    pattern++;
    for (int c = 0; c < 256 && negated; c++) class[c] = !class[c];
    emit(CLASS, class_count - 1, 0);
}

static void compile_escape(void) {
    int name = (unsigned char)*pattern;
    if (name == 'b') {
        pattern++;
        emit(WORD_EDGE, 0, 0);
    } else if (name >= '1' && name <= '9') {
        if (name - '0' > group_count) bad_pattern("no such group yet");
        pattern++;
        emit(SAME_AS, name - '0', 0);
    } else if (in_named(tolower(name), 0) >= 0) {
        bool is_lower = islower(name) != 0;
        bool *class = new_class();
        for (int c = 0; c < 256; c++) {
            if ((in_named(tolower(name), c) != 0) == is_lower) set_byte(class, c);
        }
        pattern++;
        emit(CLASS, class_count - 1, 0);
    } else {
        emit(BYTE, escaped_byte(), 0);
    }
}

static void compile_alternatives(int depth);

static void compile_atom(int depth) {
    unsigned char c = (unsigned char)*pattern++;
    if (c == '(') {
        if (group_count == GROUPS - 1) bad_pattern("too many groups");
        int group = ++group_count;
        emit(SAVE, 2 * group, 0);
        compile_alternatives(depth + 1);
        if (*pattern != ')') bad_pattern("( is not closed");
        pattern++;
        emit(SAVE, 2 * group + 1, 0);
    } else if (c == '[') {
        compile_bracket();
    } else if (c == '%') {
        compile_escape();
    } else if (c == '.') {
        emit(ANY, 0, 0);
    } else if (c == '^' || c == '$') {
        emit(c == '^' ? LINE_START : LINE_END, 0, 0);
    } else if (strchr("*+?{", c) != NULL) {
        bad_pattern("nothing to repeat");
    } else {
        emit(BYTE, c, 0);
    }
}

static int read_bound(void) {
    int n = 0, digits = 0;
    while (isdigit((unsigned char)*pattern) && digits++ < 3) n = n * 10 + (*pattern++ - '0');
    if (digits == 0 || n > 20) bad_pattern("bound is not a number from 0 to 20");
    return n;
}

/* Appends a copy of `count` instructions that begin at `start`. */
static void copy_code(int start, int count) {
    for (int i = 0; i < count; i++) emit(code[start + i].operation, code[start + i].x, code[start + i].y);
}

static void split(int at, int taken, int skipped, bool lazy) {
    code[at].x = lazy ? skipped : taken;
    code[at].y = lazy ? taken : skipped;
}

static void repeat_bounded(int start, bool lazy, int least, int most) {
    int size = code_length - start;
    if (most < least) bad_pattern("bounds are the wrong way round");
    for (int i = 1; i < least; i++) copy_code(start, size);
    for (int left = most - (least > 1 ? least : 1); left > 0; left--) {
        emit(SPLIT, 0, 0);
        split(code_length - 1, 1, left * (size + 1), lazy);
        copy_code(start, size);
    }
    if (most == 0) code_length = start;
    if (least == 0 && most > 0) {
        insert(start, SPLIT, 0, 0);
        split(start, 1, code_length - start, lazy);
    }
}

/* Repeats without end; a round that takes no byte is not counted, so that it does end. */
static void repeat_forever(int start, bool lazy) {
    bool always_takes = code_length - start == 1 && code[start].operation <= CLASS;
    if (!always_takes) {
        if (slot_count == SLOTS) bad_pattern("too many repetitions");
        insert(start, SAVE, slot_count, 0);
        emit(PROGRESS, slot_count++, 0);
    }
    insert(start, SPLIT, 0, 0);
    emit(JUMP, start - code_length, 0);
    split(start, 1, code_length - start, lazy);
}

static void compile_repeat(int start) {
    int least = 0, most = 0;
    char mark = *pattern++;
    if (mark == '{') {
        least = most = read_bound();
        if (*pattern == ',') {
            pattern++;
            most = read_bound();
        }
        if (*pattern++ != '}') bad_pattern("{ is not closed");
    }
    bool lazy = *pattern == '?';
    if (lazy) pattern++;
    int size = code_length - start;
    if (mark == '{') {
        repeat_bounded(start, lazy, least, most);
    } else if (mark == '?') {
        repeat_bounded(start, lazy, 0, 1);
    } else {
        if (mark == '+') {
            copy_code(start, size);
            start += size;
        }
        repeat_forever(start, lazy);
    }
    if (*pattern != '\0' && strchr("*+?{", *pattern) != NULL) bad_pattern("repeated twice");
}

static void compile_alternatives(int depth) {
    int start = code_length;
    while (*pattern != '\0' && *pattern != '|' && *pattern != ')') {
        int atom = code_length;
        compile_atom(depth);
        if (*pattern != '\0' && strchr("*+?{", *pattern) != NULL) compile_repeat(atom);
    }
    if (*pattern == ')' && depth == 0) bad_pattern(") was never opened");
    if (*pattern != '|') return;
    pattern++;
    insert(start, SPLIT, 1, code_length - start + 2);
    int jump = code_length;
    emit(JUMP, 0, 0);
    compile_alternatives(depth);
    code[jump].x = code_length - jump;
}

static int fold(int c) {
    return ignore_case ? tolower(c) : c;
}

static int byte_at(int at) {
    return at >= 0 && at < subject_length ? (unsigned char)subject[at] : -1;
}

static bool word_edge(int at) {
    return is_word(byte_at(at - 1)) != is_word(byte_at(at));
}

/* How many bytes the text of a group takes at a place; -1 if it is not there. */
static int same_as(int group, int at) {
    int start = saved[2 * group], end = saved[2 * group + 1];
    if (start < 0 || end < start) return -1;
    for (int i = start; i < end; i++) {
        if (byte_at(at + i - start) < 0 || fold(byte_at(i)) != fold(byte_at(at + i - start))) return -1;
    }
    return end - start;
}

/* Runs the code from a place of the subject; returns the end of the match or -1. */
static int run(int pc, int at, int depth) {
    for (;;) {
        const struct instruction *instruction = &code[pc];
        int c = byte_at(at), taken = 0, end, old;
        if (++steps > STEPS_MAX || depth > DEPTH_MAX) {
            steps = STEPS_MAX + 1;
            return -1;
        }
        switch (instruction->operation) {
        case BYTE:
            if (c < 0 || fold(c) != fold(instruction->x)) return -1;
            taken = 1;
            break;
        case ANY:
            if (c < 0) return -1;
            taken = 1;
            break;
        case CLASS:
            if (c < 0 || !classes[instruction->x][c]) return -1;
            taken = 1;
            break;
        case LINE_START:
            if (at != 0) return -1;
            break;
        case LINE_END:
            if (at != subject_length) return -1;
            break;
        case WORD_EDGE:
            if (!word_edge(at)) return -1;
            break;
        case SAME_AS:
            taken = same_as(instruction->x, at);
            if (taken < 0) return -1;
            break;
        case SAVE:
            old = saved[instruction->x];
            saved[instruction->x] = at;
            end = run(pc + 1, at, depth + 1);
            if (end < 0) saved[instruction->x] = old;
            return end;
        case PROGRESS:
            if (saved[instruction->x] == at) return -1;
            break;
        case JUMP:
            pc += instruction->x;
            continue;
        case SPLIT:
            end = run(pc + instruction->x, at, depth + 1);
            if (end >= 0 || steps > STEPS_MAX) return end;
            pc += instruction->y;
            continue;
        case MATCH:
            if (whole_words && (is_word(byte_at(at)) || is_word(byte_at(saved[0] - 1)))) return -1;
            return at;
        }
        at += taken;
        pc++;
    }
}

static int put_cased(int c, int *letter_case) {
    int result = *letter_case == 'U' || *letter_case == 'C' ? toupper(c) : *letter_case == 'L' ? tolower(c) : c;
    if (*letter_case == 'C') *letter_case = 'E';
    return result;
}

static void put_range(int start, int end, int *letter_case) {
    for (int i = start; i >= 0 && i < end; i++) putchar(put_cased(byte_at(i), letter_case));
}

static void put_substitution(const char *s) {
    int letter_case = 'E';
    for (; *s != '\0'; s++) {
        if (*s == '&') {
            put_range(saved[0], saved[1], &letter_case);
        } else if (*s != '%') {
            putchar(put_cased((unsigned char)*s, &letter_case));
        } else if (*++s >= '1' && *s <= '9') {
            put_range(saved[2 * (*s - '0')], saved[2 * (*s - '0') + 1], &letter_case);
        } else if (*s == 't' || *s == 'n') {
            putchar(*s == 't' ? '\t' : '\n');
        } else if (isalpha((unsigned char)*s)) {
            letter_case = *s;
        } else {
            putchar(put_cased((unsigned char)*s, &letter_case));
        }
    }
}

static void check_substitution(const char *s) {
    for (; *s != '\0'; s++) {
        if (*s != '%') continue;
        s++;
        if (*s == '\0' || *s == '0') usage("wrong escape in the substitution");
        if (isalpha((unsigned char)*s) && strchr("tnULEC", *s) == NULL) usage("wrong escape in the substitution");
        if (*s >= '1' && *s <= '9' && *s - '0' > group_count) usage("no such group in the substitution");
    }
}

/* Finds the first match at or after a place; on success saved[0] and saved[1] are set. */
static bool find(int from) {
    for (int at = from; at <= subject_length; at++) {
        for (int i = 0; i < SLOTS; i++) saved[i] = -1;
        saved[0] = at;
        saved[1] = run(0, at, 0);
        if (saved[1] >= 0) return true;
        if (steps > STEPS_MAX) return false;
    }
    return false;
}

/* Replaces in the subject; prints the new line if asked to; returns the replacements made. */
static int replace_line(const char *substitution, bool print) {
    int replaced = 0, copied = 0, from = 0;
    steps = 0;
    for (int seen = 1; from <= subject_length && find(from); seen++) {
        bool chosen = every_match || seen == (wanted > 0 ? wanted : 1);
        if (chosen) {
            if (print) {
                fwrite(subject + copied, 1, (size_t)(saved[0] - copied), stdout);
                put_substitution(substitution);
            }
            copied = saved[1];
            replaced++;
        }
        if (chosen && !every_match) break;
        /* An empty match must not be found again at the same place. */
        from = saved[1] > saved[0] ? saved[1] : saved[1] + 1;
    }
    if (print) {
        fwrite(subject + copied, 1, (size_t)(subject_length - copied), stdout);
        putchar('\n');
    }
    return replaced;
}

static int read_options(int argc, char **argv) {
    int i = 1;
    for (; i < argc && argv[i][0] == '-' && argv[i][1] != '\0'; i++) {
        const char *option = argv[i];
        if (strlen(option) != 2 || strchr("gniwpc-", option[1]) == NULL) usage("unknown option");
        if (option[1] == '-') {
            i++;
            break;
        }
        if (option[1] == 'g') every_match = true;
        if (option[1] == 'i') ignore_case = true;
        if (option[1] == 'w') whole_words = true;
        if (option[1] == 'p') print_changed = true;
        if (option[1] == 'c') print_counts = true;
        if (option[1] != 'n') continue;
        if (++i >= argc) usage("-n needs a number");
        wanted = strlen(argv[i]) <= 3 ? atoi(argv[i]) : 0;
        if (wanted < 1 || wanted > 100) usage("-n needs a number from 1 to 100");
    }
    if (every_match && wanted > 0) usage("-g and -n exclude each other");
    if (print_changed && print_counts) usage("-p and -c exclude each other");
    return i;
}

/* Reads a line into the subject; false at the end of the input. */
static bool read_line(bool *too_long) {
    int c = getchar();
    if (c == EOF) return false;
    subject_length = 0;
    *too_long = false;
    for (; c != EOF && c != '\n'; c = getchar()) {
        if (subject_length == LINE_MAX_LENGTH) {
            *too_long = true;
            break;
        }
        subject[subject_length++] = (char)c;
    }
    if (*too_long) {
        bool print = !print_changed && !print_counts;
        if (print) fwrite(subject, 1, (size_t)subject_length, stdout);
        for (; c != EOF && c != '\n'; c = getchar()) {
            if (print) putchar(c);
        }
        if (print) putchar('\n');
    }
    return true;
}

int main(int argc, char **argv) {
    int lines = 0, matches = 0, i = read_options(argc, argv);
    bool too_long, too_hard = false;
    if (argc - i != 2) usage("a pattern and a substitution are needed");
    pattern = argv[i];
    compile_alternatives(0);
    emit(MATCH, 0, 0);
    check_substitution(argv[i + 1]);
    while (read_line(&too_long)) {
        int replaced = too_long ? 0 : replace_line(argv[i + 1], false);
        if (too_long || steps > STEPS_MAX) {
            fprintf(stderr, "replace: a line is too long or needs too much work\n");
            too_hard = true;
            if (too_long || print_changed || print_counts) continue;
            fwrite(subject, 1, (size_t)subject_length, stdout);
            putchar('\n');
            continue;
        }
        if (!print_counts && (replaced > 0 || !print_changed)) replace_line(argv[i + 1], true);
        lines += replaced > 0 ? 1 : 0;
        matches += replaced;
    }
    if (print_counts) printf("%d lines, %d matches\n", lines, matches);
    return too_hard ? 4 : matches > 0 ? 0 : 1;
}
