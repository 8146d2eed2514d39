/*
 * schedule: simulate a scheduler with three priorities, driven by a script.
 *
 * usage: schedule [-q QUANTUM] [-a AGE] [-c] [-s] LOW MIDDLE HIGH < script
 *
 *   LOW MIDDLE HIGH  how many processes each queue holds at the start, 0 to 20
 *   -q QUANTUM       time slice, 1 to 100 (default 5)
 *   -a AGE           a queue head passed over AGE times rises one priority,
 *                    1 to 100 (default: never)
 *   -c               cooperative: a higher process does not preempt the running one
 *   -s               strict: stop at the first wrong command
 *
 * Priorities are 1 (low), 2 (middle), 3 (high). Processes are numbered from 1
 * as they are made, at the start from high to low. Whenever nothing runs, the
 * head of the highest queue that is not empty is dispatched.
 *
 * Script: one command per line; blank lines and lines that start with # are
 * ignored; at most 200 bytes per line; reading stops after 10000 lines
 *   new PRIO [BURST]    make a process with BURST units of work, 1 to 1000 (default 10)
 *   block               the running process waits for an event
 *   unblock [ID]        the process blocked longest, or ID, is ready again; one
 *                       that was blocked by itself for 10 units or more rises
 *                       one priority
 *   quantum             the slice of the running process is over at once
 *   tick N              let N units pass, 1 to 500
 *   finish              the running process ends at once
 *   upgrade PRIO RATIO  the process at place RATIO (0.0 first to 1.0 last) of
 *                       queue PRIO, 1 or 2, rises one priority
 *   renice ID PRIO      change the priority of a process, in whatever state
 *   kill ID             remove a process
 *   flush               run everything that is ready to its end
 *   status              print the clock, the running process, queues and blocked
 *
 * A process that uses up its whole slice twice in a row falls one priority.
 * A slice cut short by `block` starts the count anew.
 *
 * Exit codes: 0 fine, 1 at least one wrong command, 2 wrong usage, 3 too many
 * processes (more than 200).
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESS_MAX = 200, LEVELS = 3, LINE_MAX_LENGTH = 200, LINES_MAX = 10000, RISE_AFTER = 10 };
enum state { READY, RUNNING, BLOCKED, DONE };

struct process {
    enum state state;
    int priority, remaining, used, whole_slices, passed_over, made_at, blocked_at;
};

struct queue {
    int ids[PROCESS_MAX];
    int length;
};

static struct process processes[PROCESS_MAX + 1];
static int process_count, running; /* running is 0 when nothing runs */
static struct queue ready[LEVELS + 1], blocked;
static int now, finished, killed, wrong, line_number;
static long long turnaround; /* of all finished processes together */
static int quantum = 5, age_limit = 0;
static bool cooperative, strict;

static void append(struct queue *queue, int id) {
    queue->ids[queue->length++] = id;
}

static void prepend(struct queue *queue, int id) {
    memmove(queue->ids + 1, queue->ids, (size_t)queue->length * sizeof(int));
    queue->ids[0] = id;
    queue->length++;
}

static void remove_id(struct queue *queue, int id) {
    int kept = 0;
    for (int i = 0; i < queue->length; i++) {
        if (queue->ids[i] != id) queue->ids[kept++] = queue->ids[i];
    }
    queue->length = kept;
}

static void make_ready(int id) {
    processes[id].state = READY;
    processes[id].passed_over = 0;
    append(&ready[processes[id].priority], id);
}

static void make_process(int priority, int burst) {
    if (process_count == PROCESS_MAX) {
        fprintf(stderr, "schedule: more than %d processes\n", PROCESS_MAX);
        exit(3);
    }
    struct process *process = &processes[++process_count];
    process->priority = priority;
    process->remaining = burst;
    process->made_at = now;
    make_ready(process_count);
}

/* Heads below the dispatched level grow older and rise when they are too old. */
static void age_heads(int level) {
    for (int lower = level - 1; lower >= 1 && age_limit > 0; lower--) {
        if (ready[lower].length == 0) continue;
        int id = ready[lower].ids[0];
        if (++processes[id].passed_over < age_limit) continue;
        remove_id(&ready[lower], id);
        processes[id].priority = lower + 1;
        printf("age %d to %d\n", id, lower + 1);
        make_ready(id);
    }
}

static void dispatch(void) {
    int level = LEVELS;
    while (level > 0 && ready[level].length == 0) level--;
    if (running != 0) {
        if (cooperative || processes[running].priority >= level) return;
        printf("preempt %d\n", running);
        processes[running].state = READY;
        prepend(&ready[processes[running].priority], running);
        running = 0;
    }
    if (level == 0) return;
    running = ready[level].ids[0];
    remove_id(&ready[level], running);
    processes[running].state = RUNNING;
    processes[running].used = 0;
    printf("run %d\n", running);
    age_heads(level);
}

static void end_running(void) {
    struct process *process = &processes[running];
    process->state = DONE;
    turnaround += now - process->made_at;
    finished++;
    printf("done %d after %d\n", running, now - process->made_at);
    running = 0;
}

/* The running process goes to the end of its queue, perhaps a lower one. */
static void end_slice(void) {
    struct process *process = &processes[running];
    int id = running;
    if (++process->whole_slices >= 2) {
        process->whole_slices = 0;
        if (process->priority > 1) {
            process->priority--;
            printf("fall %d to %d\n", id, process->priority);
        }
    }
    running = 0;
    make_ready(id);
}

static void pass_unit(void) {
    now++;
    if (running == 0) return;
    struct process *process = &processes[running];
    process->remaining--;
    process->used++;
    if (process->remaining == 0) {
        end_running();
    } else if (process->used >= quantum) {
        end_slice();
    }
    dispatch();
}

static void wrong_command(const char *why) {
    fprintf(stderr, "schedule: line %d: %s\n", line_number, why);
    printf("wrong %d\n", line_number);
    wrong++;
}

/* Reads a whole word as a number in a range; -1 if it is not one. */
static int number(const char *word, int least, int most) {
    char *end;
    if (word == NULL) return -1;
    long n = strtol(word, &end, 10);
    if (end == word || *end != '\0' || n < least || n > most) return -1;
    return (int)n;
}

static int live_id(const char *word) {
    int id = number(word, 1, process_count);
    if (id > 0 && processes[id].state == DONE) return -1;
    return id;
}

static void command_new(const char *first, const char *second) {
    int priority = number(first, 1, LEVELS);
    int burst = second == NULL ? 10 : number(second, 1, 1000);
    if (priority < 0 || burst < 0) {
        wrong_command("new needs a priority and perhaps a burst");
        return;
    }
    make_process(priority, burst);
    dispatch();
}

static void command_block(void) {
    if (running == 0) {
        wrong_command("nothing runs");
        return;
    }
    processes[running].state = BLOCKED;
    processes[running].blocked_at = now;
    processes[running].whole_slices = 0;
    append(&blocked, running);
    running = 0;
    dispatch();
}

static void command_unblock(const char *first) {
    int id = first != NULL ? live_id(first) : blocked.length > 0 ? blocked.ids[0] : -1;
    if (id < 0 || processes[id].state != BLOCKED) {
        wrong_command("no such blocked process");
        return;
    }
    bool alone = blocked.length == 1;
    remove_id(&blocked, id);
    if (alone && now - processes[id].blocked_at >= RISE_AFTER && processes[id].priority < LEVELS) {
        processes[id].priority++;
        printf("rise %d to %d\n", id, processes[id].priority);
    }
    make_ready(id);
    dispatch();
}

static void command_upgrade(const char *first, const char *second) {
    int level = number(first, 1, LEVELS - 1);
    char *end = NULL;
    double ratio = second != NULL ? strtod(second, &end) : -1.0;
    if (level < 0 || second == NULL || end == second || *end != '\0' || !(ratio >= 0.0 && ratio <= 1.0)) {
        wrong_command("upgrade needs a priority below the highest and a ratio");
        return;
    }
    if (ready[level].length == 0) return;
    int place = (int)(ratio * ready[level].length);
    if (place == ready[level].length) place--;
    int id = ready[level].ids[place];
    remove_id(&ready[level], id);
    processes[id].priority = level + 1;
    make_ready(id);
    dispatch();
}

static void command_renice(const char *first, const char *second) {
    int id = live_id(first);
    int priority = number(second, 1, LEVELS);
    if (id < 0 || priority < 0) {
        wrong_command("renice needs a process and a priority");
        return;
    }
    struct process *process = &processes[id];
    int before = process->priority;
    if (before == priority) return;
    process->priority = priority;
    if (process->state == READY) {
        remove_id(&ready[before], id);
        make_ready(id);
    } else if (process->state == RUNNING) {
        process->whole_slices = 0;
    }
    dispatch();
}

static void command_kill(const char *first) {
    int id = live_id(first);
    if (id < 0) {
        wrong_command("no such process");
        return;
    }
    struct process *process = &processes[id];
    if (process->state == READY) remove_id(&ready[process->priority], id);
    if (process->state == BLOCKED) remove_id(&blocked, id);
    if (process->state == RUNNING) running = 0;
    process->state = DONE;
    killed++;
    dispatch();
}

static void command_tick(const char *first) {
    int units = number(first, 1, 500);
    if (units < 0) {
        wrong_command("tick needs a number of units");
        return;
    }
    while (units-- > 0) pass_unit();
}

static void print_queue(const char *name, const struct queue *queue) {
    printf("%s:", name);
    for (int i = 0; i < queue->length; i++) {
        const struct process *process = &processes[queue->ids[i]];
        printf(" %d(%d)", queue->ids[i], process->remaining);
    }
    printf("\n");
}

static void command_status(void) {
    static const char *const names[LEVELS + 1] = {"", "low", "middle", "high"};
    printf("time %d", now);
    if (running != 0) {
        printf(" running %d(%d) priority %d", running, processes[running].remaining, processes[running].priority);
    }
    printf("\n");
    for (int level = LEVELS; level >= 1; level--) print_queue(names[level], &ready[level]);
    print_queue("blocked", &blocked);
}

static void obey(const char *name, const char *first, const char *second) {
    bool no_words = first == NULL;
    if (strcmp(name, "new") == 0) {
        command_new(first, second);
    } else if (strcmp(name, "block") == 0 && no_words) {
        command_block();
    } else if (strcmp(name, "unblock") == 0 && second == NULL) {
        command_unblock(first);
    } else if (strcmp(name, "quantum") == 0 && no_words && running != 0) {
        end_slice();
        dispatch();
    } else if (strcmp(name, "tick") == 0 && second == NULL) {
        command_tick(first);
    } else if (strcmp(name, "finish") == 0 && no_words && running != 0) {
        end_running();
        dispatch();
    } else if (strcmp(name, "upgrade") == 0) {
        command_upgrade(first, second);
    } else if (strcmp(name, "renice") == 0) {
        command_renice(first, second);
    } else if (strcmp(name, "kill") == 0 && second == NULL) {
        command_kill(first);
    } else if (strcmp(name, "flush") == 0 && no_words) {
        while (running != 0) pass_unit();
    } else if (strcmp(name, "status") == 0 && no_words) {
        command_status();
    } else {
        wrong_command("no such command, or it cannot be done now");
    }
}

static void read_script(void) {
    char line[LINE_MAX_LENGTH + 2];
    while (line_number < LINES_MAX && fgets(line, sizeof line, stdin) != NULL) {
        line_number++;
        if (strchr(line, '\n') == NULL && !feof(stdin)) {
            int c;
            while ((c = getchar()) != EOF && c != '\n') continue;
            wrong_command("line too long");
        } else {
            char *name = strtok(line, " \t\r\n");
            if (name == NULL || name[0] == '#') continue;
            char *first = strtok(NULL, " \t\r\n");
            char *second = first != NULL ? strtok(NULL, " \t\r\n") : NULL;
            if (second != NULL && strtok(NULL, " \t\r\n") != NULL) {
                wrong_command("too many words");
            } else {
                obey(name, first, second);
            }
        }
        if (strict && wrong > 0) return;
    }
}

static void usage(const char *why) {
    fprintf(stderr, "schedule: %s\nusage: schedule [-q QUANTUM] [-a AGE] [-c] [-s] LOW MIDDLE HIGH\n", why);
    exit(2);
}

static int read_options(int argc, char **argv) {
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "-c") == 0) {
            cooperative = true;
        } else if (strcmp(argv[i], "-s") == 0) {
            strict = true;
        } else if (strcmp(argv[i], "-q") == 0 || strcmp(argv[i], "-a") == 0) {
            bool is_quantum = argv[i][1] == 'q';
            int n = number(i + 1 < argc ? argv[i + 1] : NULL, 1, 100);
            if (n < 0) usage("option needs a number from 1 to 100");
            *(is_quantum ? &quantum : &age_limit) = n;
            i++;
        } else {
            usage("unknown option");
        }
    }
    return i;
}

int main(int argc, char **argv) {
    int i = read_options(argc, argv);
    if (argc - i != LEVELS) usage("three queue sizes are needed");
    for (int level = LEVELS; level >= 1; level--) {
        int count = number(argv[i + level - 1], 0, 20);
        if (count < 0) usage("a queue size is a number from 0 to 20");
        while (count-- > 0) make_process(level, 10);
    }
    dispatch();
    read_script();
    printf("end at %d: %d finished, %d killed, %d left", now, finished, killed, process_count - finished - killed);
    if (finished > 0) printf(", mean turnaround %lld.%lld", turnaround / finished, turnaround * 10 / finished % 10);
    printf("\n");
    return wrong > 0 ? 1 : 0;
}
