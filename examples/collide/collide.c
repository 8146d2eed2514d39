/*
 * collide: advise a pilot how to avoid another aircraft.
 *
 * usage: collide [-v] OWN-ALTITUDE OWN-RATE OTHER-ALTITUDE OTHER-RATE RANGE
 *                CLOSURE GROUND CEILING EQUIPMENT INTENT LAST SINCE MODE
 *
 *   OWN-ALTITUDE    feet, -1000 to 60000
 *   OWN-RATE        feet per minute, -8000 to 8000, up is positive
 *   OTHER-ALTITUDE  feet, -1000 to 60000
 *   OTHER-RATE      feet per minute, -8000 to 8000
 *   RANGE           distance in hundredths of a nautical mile, 0 to 4000
 *   CLOSURE         speed of approach in knots, -1500 to 1500; not positive: they part
 *   GROUND          height of the ground in feet, -1000 to 30000
 *   CEILING         the highest altitude own aircraft can hold, 1000 to 60000
 *   EQUIPMENT       of the other: 0 silent about altitude, 1 reports altitude,
 *                   2 reports altitude and coordinates its manoeuvre with ours
 *   INTENT          of the other: 0 none, 1 passes above us, 2 passes below us
 *   LAST            our last advisory: 0 none, 1 climb, 2 descend, 3 level off
 *   SINCE           seconds since it was given, 0 to 300
 *   MODE            0 standby, 1 traffic advisories only, 2 everything
 *   -v              print the quantities that led to the advisory, one per line
 *
 * The altitudes must fit: own altitude not below GROUND nor above CEILING, the
 * other's not below GROUND. INTENT needs EQUIPMENT 2. SINCE is 0 if LAST is 0.
 *
 * Rules
 *   The level (1 to 5) comes from the height above ground and the altitude, and
 *   sets the thresholds in the table below. Level 1 gives no resolution.
 *   The time to the closest approach is that of the range; within the close
 *   range of the level it is taken as 0, and if they part it has no end.
 *   Traffic: time within the level's traffic time (or already close), and the
 *   vertical gap, now or then, within the level's traffic gap.
 *   Threat: the same with the threat time and threat gap, and the other's
 *   altitude must be known. A silent other is at most traffic.
 *   Sense: the one that gives the greater gap at the closest approach. If it
 *   means crossing the other's altitude, the other sense is taken when it gives
 *   the wanted gap too. Coordination goes before: we pass on the other side
 *   than the other intends. A climb that would end above the ceiling, or a
 *   descent that would end below 800 feet above ground, is turned round, and if
 *   that one is impossible too, we level off.
 *   An advisory younger than 6 seconds is kept. Later its sense is reversed only
 *   if it would leave less than 200 feet, the other sense more, the other does
 *   not coordinate and there are 8 seconds left.
 *   Strength: nothing to change ("monitor") if the present rate keeps the gap;
 *   "increase" if the plain manoeuvre after an advisory of the same sense leaves
 *   less than half of the wanted gap; "limit" if levelling off is enough.
 *
 * Exit codes: 0 no advisory or clear of conflict, 10 traffic, 20 resolution,
 * 2 wrong usage, 3 the values do not fit together.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum argument {
    OWN_ALTITUDE, OWN_RATE, OTHER_ALTITUDE, OTHER_RATE, RANGE, CLOSURE, GROUND, CEILING, EQUIPMENT, INTENT, LAST,
    SINCE, MODE, ARGUMENTS
};
enum sense { NONE, UP, DOWN, LEVEL_OFF };
enum { NEVER = 1000000, DELAY = 5, PLAIN_RATE = 1500, STRONG_RATE = 2500, MINIMUM_HEIGHT = 800 };
enum { KEEP_SECONDS = 6, REVERSAL_GAP = 200, REVERSAL_SECONDS = 8 };
enum { EXIT_NOTHING = 0, EXIT_USAGE = 2, EXIT_MISFIT = 3, EXIT_TRAFFIC = 10, EXIT_RESOLUTION = 20 };

struct bounds {
    const char *name;
    int least, most;
};

static const struct bounds bounds[ARGUMENTS] = {
    {"own altitude", -1000, 60000}, {"own rate", -8000, 8000}, {"other altitude", -1000, 60000},
    {"other rate", -8000, 8000},    {"range", 0, 4000},        {"closure", -1500, 1500},
    {"ground", -1000, 30000},       {"ceiling", 1000, 60000},  {"equipment", 0, 2},
    {"intent", 0, 2},               {"last", 0, 3},            {"since", 0, 300},
    {"mode", 0, 2},
};

/* Seconds, seconds, hundredths of a mile, feet, feet, feet. */
struct level {
    int traffic_time, threat_time, close_range, traffic_gap, threat_gap, wanted_gap;
};

static const struct level levels[6] = {
    {0, 0, 0, 0, 0, 0},        {20, 0, 30, 800, 0, 0},      {25, 15, 20, 850, 600, 300},
    {35, 20, 40, 900, 650, 350}, {40, 28, 80, 1000, 700, 450}, {48, 35, 110, 1200, 800, 600},
};

static int given[ARGUMENTS];
static bool verbose;

/* What is worked out from the arguments. */
static int level_number, time_left, gap_now, gap_then;
static const struct level *level;

static void usage(const char *why, const char *what) {
    fprintf(stderr, "collide: %s %s\nusage: collide [-v] and 13 numbers; see the source\n", why, what);
    exit(EXIT_USAGE);
}

static void show(const char *name, int value) {
    if (verbose) printf("%s %d\n", name, value);
}

static int absolute(int x) {
    return x < 0 ? -x : x;
}

/* Feet that a rate makes in some seconds. */
static int feet(int rate, int seconds) {
    return rate * seconds / 60;
}

static int find_level(void) {
    int height = given[OWN_ALTITUDE] - given[GROUND];
    if (height < 1000) return 1;
    if (height < 2500) return 2;
    if (given[OWN_ALTITUDE] < 10000) return 3;
    if (given[OWN_ALTITUDE] < 25000) return 4;
    return 5;
}

static int find_time_left(void) {
    if (given[CLOSURE] <= 0) return given[RANGE] <= level->close_range / 2 ? 0 : NEVER;
    if (given[RANGE] <= level->close_range) return 0;
    return given[RANGE] * 36 / given[CLOSURE];
}

static int other_altitude_then(void) {
    int altitude = given[OTHER_ALTITUDE] + feet(given[OTHER_RATE], time_left);
    return altitude < given[GROUND] ? given[GROUND] : altitude;
}

/* Own altitude at the closest approach if the rate is changed after the delay. */
static int own_altitude_then(int new_rate) {
    if (time_left <= DELAY) return given[OWN_ALTITUDE] + feet(given[OWN_RATE], time_left);
    int turn = given[OWN_ALTITUDE] + feet(given[OWN_RATE], DELAY);
    return turn + feet(new_rate, time_left - DELAY);
}

/* The rate that a manoeuvre asks for: at least so fast, but no slower than now. */
static int rate_for(enum sense sense, int rate) {
    if (sense == UP) return given[OWN_RATE] > rate ? given[OWN_RATE] : rate;
    if (sense == DOWN) return given[OWN_RATE] < -rate ? given[OWN_RATE] : -rate;
    return 0;
}

/* The gap a manoeuvre leaves on its own side; negative if it ends on the wrong one. */
static int gap_after(enum sense sense, int rate) {
    int own = own_altitude_then(rate_for(sense, rate));
    return sense == DOWN ? other_altitude_then() - own : own - other_altitude_then();
}

static bool is_close(int time_limit, int gap_limit) {
    bool soon = time_left <= time_limit;
    bool near_now = absolute(gap_now) <= gap_limit;
    bool near_then = time_left < NEVER && absolute(gap_then) <= gap_limit;
    bool crossing = time_left < NEVER && (gap_now > 0) != (gap_then > 0) && gap_now != 0;
    return soon && (near_now || near_then || crossing);
}

static bool is_traffic(void) {
    if (given[EQUIPMENT] == 0) return time_left <= level->traffic_time;
    return is_close(level->traffic_time, level->traffic_gap);
}

static bool is_threat(void) {
    if (given[EQUIPMENT] == 0 || level_number == 1 || given[MODE] < 2) return false;
    return is_close(level->threat_time, level->threat_gap);
}

static bool is_possible(enum sense sense) {
    int end = given[OWN_ALTITUDE] + feet(rate_for(sense, PLAIN_RATE), time_left > DELAY ? time_left : DELAY);
    if (sense == UP) return end <= given[CEILING];
    return end >= given[GROUND] + MINIMUM_HEIGHT;
}

static enum sense opposite(enum sense sense) {
    return sense == UP ? DOWN : UP;
}

/* Whether the manoeuvre takes us through the altitude of the other. */
static bool crosses(enum sense sense) {
    return sense == UP ? given[OWN_ALTITUDE] < given[OTHER_ALTITUDE] : given[OWN_ALTITUDE] > given[OTHER_ALTITUDE];
}

static enum sense free_sense(void) {
    int up = gap_after(UP, PLAIN_RATE), down = gap_after(DOWN, PLAIN_RATE);
    show("gap-up", up);
    show("gap-down", down);
    if (up == down) return given[OWN_ALTITUDE] >= given[OTHER_ALTITUDE] ? UP : DOWN;
    enum sense better = up > down ? UP : DOWN;
    int other_gap = up > down ? down : up;
    if (crosses(better) && other_gap >= level->wanted_gap) return opposite(better);
    return better;
}

static bool may_reverse(enum sense last) {
    if (given[EQUIPMENT] == 2) return false;
    if (time_left < REVERSAL_SECONDS) return false;
    int present = gap_after(last, STRONG_RATE);
    return present < REVERSAL_GAP && gap_after(opposite(last), PLAIN_RATE) > present;
}

static enum sense choose_sense(void) {
    enum sense last = (enum sense)given[LAST], sense;
    bool manoeuvring = last == UP || last == DOWN;
    if (manoeuvring && given[SINCE] < KEEP_SECONDS) return last;
    if (given[INTENT] != 0) {
        sense = given[INTENT] == 1 ? DOWN : UP;
    } else if (manoeuvring) {
        sense = may_reverse(last) ? opposite(last) : last;
    } else {
        sense = free_sense();
    }
    if (is_possible(sense)) return sense;
    if (given[INTENT] == 0 && is_possible(opposite(sense))) return opposite(sense);
    return LEVEL_OFF;
}

static int limit_rate(enum sense sense) {
    static const int limits[] = {0, 500, 1000, 2000};
    for (int i = 3; i > 0; i--) {
        int rate = sense == UP ? -limits[i] : limits[i];
        int own = own_altitude_then(rate);
        int gap = sense == UP ? own - other_altitude_then() : other_altitude_then() - own;
        if (gap >= level->wanted_gap) return limits[i];
    }
    return 0;
}

static void print_manoeuvre(enum sense sense) {
    const char *name = sense == UP ? "climb" : "descend";
    enum sense last = (enum sense)given[LAST];
    bool crossing = crosses(sense);
    int present = sense == UP ? gap_then : -gap_then;
    if (present >= level->wanted_gap && !(last == sense && given[SINCE] < KEEP_SECONDS)) {
        printf("monitor: do not %s", sense == UP ? "descend" : "climb");
        int limit = limit_rate(sense);
        if (limit > 0) printf(" faster than %d", limit);
        printf("\n");
        return;
    }
    if (last == opposite(sense)) {
        printf("reverse: %s now at %d\n", name, STRONG_RATE);
        return;
    }
    if (last == sense && gap_after(sense, PLAIN_RATE) < level->wanted_gap / 2) {
        printf("increase: %s at %d\n", name, STRONG_RATE);
        return;
    }
    if (!crossing && gap_after(LEVEL_OFF, 0) * (sense == UP ? 1 : -1) >= level->wanted_gap) {
        printf("limit: level off\n");
        return;
    }
    printf("%s%s at %d\n", crossing ? "crossing " : "", name, absolute(rate_for(sense, PLAIN_RATE)));
}

static int advise(void) {
    level_number = find_level();
    level = &levels[level_number];
    time_left = find_time_left();
    gap_now = given[OWN_ALTITUDE] - given[OTHER_ALTITUDE];
    gap_then = time_left == NEVER ? gap_now : own_altitude_then(given[OWN_RATE]) - other_altitude_then();
    show("level", level_number);
    show("time", time_left);
    show("gap", gap_now);
    show("gap-then", gap_then);
    if (given[MODE] == 0) {
        printf("standby\n");
        return EXIT_NOTHING;
    }
    if (is_threat()) {
        enum sense sense = choose_sense();
        if (sense == LEVEL_OFF) {
            printf("level off\n");
        } else {
            print_manoeuvre(sense);
        }
        return EXIT_RESOLUTION;
    }
    if (is_traffic()) {
        const char *where = gap_now > 0 ? "below" : gap_now < 0 ? "above" : "same altitude";
        if (given[EQUIPMENT] == 0) where = "altitude unknown";
        printf("traffic: %s%s\n", where, given[LAST] != 0 ? ", keep watching" : "");
        return EXIT_TRAFFIC;
    }
    printf("%s\n", given[LAST] != 0 && given[SINCE] <= 60 ? "clear of conflict" : "none");
    return EXIT_NOTHING;
}

static const char *misfit(void) {
    if (given[OWN_ALTITUDE] < given[GROUND]) return "own aircraft is below ground";
    if (given[OWN_ALTITUDE] > given[CEILING]) return "own aircraft is above its ceiling";
    if (given[EQUIPMENT] != 0 && given[OTHER_ALTITUDE] < given[GROUND]) return "other aircraft is below ground";
    if (given[INTENT] != 0 && given[EQUIPMENT] != 2) return "intent without coordination";
    if (given[LAST] == 0 && given[SINCE] != 0) return "time since no advisory";
    return NULL;
}

static void read_arguments(int argc, char **argv) {
    int first = argc > 1 && strcmp(argv[1], "-v") == 0 ? 2 : 1;
    verbose = first == 2;
    if (argc - first != ARGUMENTS) usage("wrong number of arguments:", "13 are needed");
    for (int i = 0; i < ARGUMENTS; i++) {
        char *end;
        long n = strtol(argv[first + i], &end, 10);
        if (end == argv[first + i] || *end != '\0') usage("not a number:", bounds[i].name);
        if (n < bounds[i].least || n > bounds[i].most) usage("out of bounds:", bounds[i].name);
        given[i] = (int)n;
    }
}

int main(int argc, char **argv) {
    read_arguments(argc, argv);
    const char *why = misfit();
    if (why != NULL) {
        fprintf(stderr, "collide: %s\n", why);
        return EXIT_MISFIT;
    }
    return advise();
}
