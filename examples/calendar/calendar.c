/*
 * calendar: print calendars and compute with dates.
 *
 * usage: calendar [-f DAY] [-c CALENDAR] [-w] [-j] COMMAND WORD...
 *
 *   month MONTH YEAR       print one month
 *   three MONTH YEAR       print that month between its neighbours
 *   year YEAR              print a year, three months side by side
 *   day DATE               weekday, day of the year, week, leap year or not
 *   add DATE N UNIT        the date N units later (N may be negative, at most
 *                          4000000 in size); UNIT is days, weeks, months or
 *                          years, or its first letter
 *   diff DATE DATE         days between, and the same as years, months and days
 *   match YEAR DAY WEEKDAY the months of the year whose DAY is a WEEKDAY
 *   easter YEAR            Easter Sunday, by the rule of the calendar in force
 *
 *   -f DAY       first day of the week, 0 (Sunday, default) to 6 (Saturday)
 *   -c CALENDAR  mixed (default: Julian to 2 September 1752, then Gregorian from
 *                14 September 1752), gregorian or julian for all years
 *   -w           week numbers: ISO weeks if the first day is Monday; otherwise
 *                the week of 1 January is week 1
 *   -j           days of the year instead of days of the month
 *
 * Years are 1 to 9999. A MONTH is 1 to 12 or a name of three letters or more; a
 * WEEKDAY is 0 to 6 or such a name; a DATE is YEAR-MONTH-DAY. Case is ignored.
 * When months or years are added and the day does not exist in the month that is
 * reached, the last day before it is taken, or 14 September 1752 in the gap.
 *
 * Exit codes: 0 fine, 2 wrong usage, 3 no such date, 4 the result is outside
 * the years 1 to 9999.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum rule { MIXED, GREGORIAN, JULIAN };
enum { YEAR_MAX = 9999, LINES = 8, WIDTH_MAX = 40, STEPS_LIMIT = 4000000 };
enum { SWITCH_YEAR = 1752, SWITCH_MONTH = 9, LAST_JULIAN = 2, FIRST_GREGORIAN = 14 };

struct date {
    int year, month, day;
};

static enum rule rule = MIXED;
static int first_day;
static bool week_numbers, year_days;

static const char *const month_names[13] = {"",     "January", "February",  "March",   "April",    "May",     "June",
                                            "July", "August",  "September", "October", "November", "December"};
static const char *const weekday_names[7] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                             "Thursday", "Friday", "Saturday"};

static void stop(int code, const char *why) {
    fprintf(stderr, "calendar: %s\n", why);
    if (code == 2) fprintf(stderr, "usage: calendar [-f DAY] [-c CALENDAR] [-w] [-j] COMMAND WORD...\n");
    exit(code);
}

/* Whether a date is written in the Gregorian way. */
static bool is_gregorian(int year, int month, int day) {
    if (rule != MIXED) return rule == GREGORIAN;
    if (year != SWITCH_YEAR) return year > SWITCH_YEAR;
    if (month != SWITCH_MONTH) return month > SWITCH_MONTH;
    return day > LAST_JULIAN;
}

static bool is_leap(int year, bool gregorian) {
    if (year % 4 != 0) return false;
    return !gregorian || year % 100 != 0 || year % 400 == 0;
}

static int month_length(int year, int month) {
    static const int lengths[13] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = is_leap(year, is_gregorian(year, month, 1));
    return month == 2 && leap ? 29 : lengths[month];
}

static bool in_gap(const struct date *date) {
    return rule == MIXED && date->year == SWITCH_YEAR && date->month == SWITCH_MONTH && date->day > LAST_JULIAN &&
           date->day < FIRST_GREGORIAN;
}

/* Days since the day before 1 January of year 1, Gregorian; that day was a Sunday. */
static long serial(const struct date *date) {
    static const int before[13] = {0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    bool gregorian = is_gregorian(date->year, date->month, date->day);
    long past = date->year - 1;
    long days = past * 365 + past / 4 + before[date->month] + date->day;
    if (date->month > 2 && is_leap(date->year, gregorian)) days++;
    return gregorian ? days - past / 100 + past / 400 : days - 2;
}

static struct date from_serial(long number) {
    struct date date = {(int)(number / 366) + 1, 1, 1};
    struct date next = {date.year + 1, 1, 1};
    while (serial(&next) <= number) {
        date.year++;
        next.year++;
    }
    for (next = date; date.month < 12; date.month++) {
        next.month = date.month + 1;
        if (serial(&next) > number) break;
    }
    date.day = 1;
    date.day += (int)(number - serial(&date));
    bool switching = rule == MIXED && date.year == SWITCH_YEAR && date.month == SWITCH_MONTH;
    if (switching && date.day > LAST_JULIAN) date.day += FIRST_GREGORIAN - LAST_JULIAN - 1;
    return date;
}

static int weekday(long number) {
    return (int)((number % 7 + 7) % 7);
}

static int day_of_year(long number) {
    struct date date = from_serial(number);
    date.month = date.day = 1;
    return (int)(number - serial(&date)) + 1;
}

static int week_of(long number) {
    if (first_day == 1) {
        struct date beginning = {1, 1, 1};
        long thursday = number - (weekday(number) + 6) % 7 + 3;
        /* Only the Julian year 1 begins in a week of the year before, which had 53. */
        if (thursday < serial(&beginning)) return 53;
        return (day_of_year(thursday) - 1) / 7 + 1;
    }
    int day = day_of_year(number);
    int first = weekday(number - day + 1);
    return (day - 1 + (first - first_day + 7) % 7) / 7 + 1;
}

static int month_width(void) {
    return (year_days ? 27 : 20) + (week_numbers ? 3 : 0);
}

static void center(char *line, const char *title) {
    int room = month_width() - (int)strlen(title);
    snprintf(line, WIDTH_MAX, "%*s%s", room / 2, "", title);
}

static void render_heads(char *line) {
    int cell = year_days ? 3 : 2;
    line[0] = '\0';
    if (week_numbers) strcat(line, "   ");
    for (int i = 0; i < 7; i++) {
        size_t used = strlen(line);
        snprintf(line + used, WIDTH_MAX - used, "%s%*.2s", i > 0 ? " " : "", cell, weekday_names[(first_day + i) % 7]);
    }
}

/* Draws a month into lines: title, heads of columns, up to six weeks. */
static void render_month(char lines[LINES][WIDTH_MAX], int year, int month, bool with_year) {
    char title[32];
    struct date first = {year, month, 1}, last = {year, month, month_length(year, month)};
    int cell = year_days ? 3 : 2;
    memset(lines, 0, LINES * WIDTH_MAX);
    snprintf(title, sizeof title, with_year ? "%s %d" : "%s", month_names[month], year);
    center(lines[0], title);
    render_heads(lines[1]);
    long end = serial(&last), start = serial(&first);
    int column = (weekday(start) - first_day + 7) % 7, row = 2;
    for (long number = start; number <= end; number++) {
        char *line = lines[row];
        size_t used = strlen(line);
        if (used == 0) {
            if (week_numbers) used += (size_t)snprintf(line, WIDTH_MAX, "%2d ", week_of(number));
            used += (size_t)snprintf(line + used, WIDTH_MAX - used, "%*s", column * (cell + 1), "");
        } else {
            line[used++] = ' ';
        }
        int shown = year_days ? day_of_year(number) : from_serial(number).day;
        snprintf(line + used, WIDTH_MAX - used, "%*d", cell, shown);
        if (++column == 7) {
            column = 0;
            row++;
        }
    }
}

/* Prints months side by side, without blanks at the ends of lines. */
static void print_side_by_side(char months[][LINES][WIDTH_MAX], int count) {
    for (int row = 0; row < LINES; row++) {
        char line[3 * WIDTH_MAX + 8] = "";
        for (int m = 0; m < count; m++) {
            size_t used = strlen(line);
            snprintf(line + used, sizeof line - used, "%s%-*s", m > 0 ? "  " : "", month_width(), months[m][row]);
        }
        size_t end = strlen(line);
        while (end > 0 && line[end - 1] == ' ') end--;
        line[end] = '\0';
        if (end > 0 || count > 1) puts(line);
    }
}

static void print_three(int year, int month) {
    static char months[3][LINES][WIDTH_MAX];
    for (int m = 0; m < 3; m++) {
        int place = year * 12 + month - 1 + m - 1;
        if (place / 12 < 1 || place / 12 > YEAR_MAX) stop(4, "a neighbour is outside the years 1 to 9999");
        render_month(months[m], place / 12, place % 12 + 1, true);
    }
    print_side_by_side(months, 3);
}

static void print_year(int year) {
    static char months[3][LINES][WIDTH_MAX];
    printf("%*d\n\n", (3 * month_width() + 4) / 2 + 2, year);
    for (int month = 1; month <= 12; month++) {
        render_month(months[(month - 1) % 3], year, month, false);
        if (month % 3 == 0) print_side_by_side(months, 3);
    }
}

static int read_integer(const char *word, long least, long most, int code) {
    char *end;
    long n = strtol(word, &end, 10);
    if (end == word || *end != '\0') stop(2, "not a number");
    if (n < least || n > most) stop(code, "number out of range");
    return (int)n;
}

/* The place of a name, which may be cut after three letters; -1 if it is none. */
static int find_name(const char *word, const char *const *names, int count) {
    size_t n = strlen(word);
    for (int i = 0; i < count; i++) {
        size_t same = 0;
        while (same < n && tolower((unsigned char)word[same]) == tolower((unsigned char)names[i][same])) same++;
        if (n >= 3 && same == n) return i;
    }
    return -1;
}

static int read_month(const char *word) {
    int month = find_name(word, month_names, 13);
    return month > 0 ? month : read_integer(word, 1, 12, 3);
}

static struct date read_date(const char *word) {
    char parts[3][12];
    struct date date;
    const char *at = word;
    for (int i = 0; i < 3; i++) {
        size_t n = strcspn(at, "-");
        if (n == 0 || n >= sizeof parts[i] || (at[n] == '-') != (i < 2)) stop(2, "a date is YEAR-MONTH-DAY");
        memcpy(parts[i], at, n);
        parts[i][n] = '\0';
        at += n + (i < 2 ? 1 : 0);
    }
    date.year = read_integer(parts[0], 1, YEAR_MAX, 3);
    date.month = read_month(parts[1]);
    date.day = read_integer(parts[2], 1, month_length(date.year, date.month), 3);
    if (in_gap(&date)) stop(3, "that day was left out");
    return date;
}

static void print_date(const struct date *date) {
    printf("%04d-%02d-%02d %s", date->year, date->month, date->day, weekday_names[weekday(serial(date))]);
}

static void command_day(const char *word) {
    struct date date = read_date(word), last = {date.year, 12, 31};
    long number = serial(&date);
    print_date(&date);
    printf(", day %d of %d, week %d", day_of_year(number), day_of_year(serial(&last)), week_of(number));
    if (is_leap(date.year, is_gregorian(date.year, 2, 1))) printf(", leap year");
    printf("\n");
}

/* Moves a date by whole months; the day is clipped to the month reached. */
static struct date add_months(struct date date, long months) {
    long place = date.year * 12L + date.month - 1 + months;
    if (place < 12 || place >= (YEAR_MAX + 1) * 12L) stop(4, "result outside the years 1 to 9999");
    date.year = (int)(place / 12);
    date.month = (int)(place % 12) + 1;
    int most = month_length(date.year, date.month);
    if (date.day > most) date.day = most;
    if (in_gap(&date)) date.day = FIRST_GREGORIAN;
    return date;
}

static void command_add(const char *word, const char *count, const char *unit) {
    static const char *const units[] = {"days", "weeks", "months", "years"};
    struct date date = read_date(word);
    long n = read_integer(count, -STEPS_LIMIT, STEPS_LIMIT, 2);
    int chosen = -1;
    for (int i = 0; i < 4; i++) {
        if (strcmp(unit, units[i]) == 0 || (unit[0] == units[i][0] && unit[1] == '\0')) chosen = i;
    }
    if (chosen < 0) stop(2, "unknown unit");
    if (chosen >= 2) {
        date = add_months(date, chosen == 3 ? n * 12 : n);
    } else {
        struct date first = {1, 1, 1}, last = {YEAR_MAX, 12, 31};
        long number = serial(&date) + (chosen == 1 ? n * 7 : n);
        if (number < serial(&first) || number > serial(&last)) stop(4, "result outside the years 1 to 9999");
        date = from_serial(number);
    }
    print_date(&date);
    printf("\n");
}

static void command_diff(const char *first, const char *second) {
    struct date from = read_date(first), to = read_date(second);
    long days = serial(&to) - serial(&from);
    bool backwards = days < 0;
    if (backwards) {
        struct date swap = from;
        from = to;
        to = swap;
    }
    int months = (to.year - from.year) * 12 + to.month - from.month;
    struct date reached = add_months(from, months);
    if (serial(&reached) > serial(&to)) reached = add_months(from, --months);
    long rest = serial(&to) - serial(&reached);
    printf("%ld days = %s%d years %d months %ld days\n", days, backwards ? "minus " : "", months / 12, months % 12, rest);
}

static void command_match(const char *year_word, const char *day_word, const char *weekday_word) {
    int year = read_integer(year_word, 1, YEAR_MAX, 3);
    int day = read_integer(day_word, 1, 31, 3);
    int wanted = find_name(weekday_word, weekday_names, 7);
    int found = 0;
    if (wanted < 0) wanted = read_integer(weekday_word, 0, 6, 2);
    for (int month = 1; month <= 12; month++) {
        struct date date = {year, month, day};
        if (day > month_length(year, month) || in_gap(&date)) continue;
        if (weekday(serial(&date)) != wanted) continue;
        printf("%s%s", found > 0 ? " " : "", month_names[month]);
        found++;
    }
    printf("%s\n", found == 0 ? "none" : "");
}

/* The Sunday after the ecclesiastical full moon on or after 21 March. */
static void command_easter(const char *word) {
    struct date date = {read_integer(word, 1, YEAR_MAX, 3), 3, 21};
    int golden = date.year % 19, moon;
    if (is_gregorian(date.year, 3, 21)) {
        int century = date.year / 100;
        int epact_shift = century - century / 4 - (8 * century + 13) / 25 + 15;
        moon = (19 * golden + epact_shift) % 30;
        if (moon == 29 || (moon == 28 && golden > 10)) moon--;
    } else {
        moon = (19 * golden + 15) % 30;
    }
    long full_moon = serial(&date) + moon;
    struct date easter = from_serial(full_moon + 7 - weekday(full_moon));
    print_date(&easter);
    printf("\n");
}

static int read_options(int argc, char **argv) {
    static const char *const rules[] = {"mixed", "gregorian", "julian"};
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "-w") == 0) {
            week_numbers = true;
        } else if (strcmp(argv[i], "-j") == 0) {
            year_days = true;
        } else if (strcmp(argv[i], "-f") == 0 && i + 1 < argc) {
            first_day = read_integer(argv[++i], 0, 6, 2);
        } else if (strcmp(argv[i], "-c") == 0 && i + 1 < argc) {
            int chosen = find_name(argv[++i], rules, 3);
            if (chosen < 0) stop(2, "unknown calendar");
            rule = (enum rule)chosen;
        } else {
            stop(2, "unknown option");
        }
    }
    return i;
}

int main(int argc, char **argv) {
    static char one[1][LINES][WIDTH_MAX];
    int i = read_options(argc, argv), words = argc - i - 1;
    char **word = argv + i + 1;
    const char *command = i < argc ? argv[i] : "";
    if (strcmp(command, "month") == 0 && words == 2) {
        int month = read_month(word[0]);
        render_month(one[0], read_integer(word[1], 1, YEAR_MAX, 3), month, true);
        print_side_by_side(one, 1);
    } else if (strcmp(command, "three") == 0 && words == 2) {
        int month = read_month(word[0]);
        print_three(read_integer(word[1], 1, YEAR_MAX, 3), month);
    } else if (strcmp(command, "year") == 0 && words == 1) {
        print_year(read_integer(word[0], 1, YEAR_MAX, 3));
    } else if (strcmp(command, "day") == 0 && words == 1) {
        command_day(word[0]);
    } else if (strcmp(command, "add") == 0 && words == 3) {
        command_add(word[0], word[1], word[2]);
    } else if (strcmp(command, "diff") == 0 && words == 2) {
        command_diff(word[0], word[1]);
    } else if (strcmp(command, "match") == 0 && words == 3) {
        command_match(word[0], word[1], word[2]);
    } else if (strcmp(command, "easter") == 0 && words == 1) {
        command_easter(word[0]);
    } else {
        stop(2, "unknown command or wrong number of words");
    }
    return 0;
}
