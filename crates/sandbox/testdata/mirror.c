/* A subject that tells everything about how it was started, then ends in the way its first argument names. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static int constructed_with = -1;

__attribute__((constructor)) static void construct(int argc, char **argv, char **env) {
    constructed_with = argc;
    if (argv[argc] || env != environ)
        constructed_with = -2;
}

__attribute__((destructor)) static void destruct(void) { puts("destructor"); }

static void at_exit(void) { puts("atexit"); }

static volatile sig_atomic_t caught;
static void catch (int signal) { caught = signal; }

static void *thread(void *argument) {
    *(int *)argument += syscall(SYS_gettid) != getpid();
    return NULL;
}

static void tell_descriptors(void) {
    for (int i = 0; i < 256; i++) {
        struct stat data;
        if (fstat(i, &data) == 0)
            printf("descriptor %d: mode %o flags %o at %ld size %ld\n", i, data.st_mode & S_IFMT,
                   fcntl(i, F_GETFL), (long)lseek(i, 0, SEEK_CUR), (long)data.st_size);
    }
}

static void tell_limits(void) {
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        struct rlimit limit;
        if (getrlimit(i, &limit) == 0)
            printf("limit %d: %lu %lu\n", i, (unsigned long)limit.rlim_cur, (unsigned long)limit.rlim_max);
    }
}

static void tell_signals(void) {
    sigset_t blocked;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    for (int i = 1; i < 65; i++) {
        struct sigaction action;
        if (sigaction(i, NULL, &action) == 0 && (action.sa_handler != SIG_DFL || sigismember(&blocked, i)))
            printf("signal %d: %d\n", i, sigismember(&blocked, i));
    }
    signal(SIGUSR1, catch);
    raise(SIGUSR1);
    printf("caught %d\n", (int)caught);
}

static void tell_threads(void) {
    pthread_mutexattr_t kind;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &kind);
    int first = pthread_mutex_lock(&mutex), second = pthread_mutex_lock(&mutex), third = pthread_mutex_unlock(&mutex);
    printf("mutex %d %d %d\n", first, second == EDEADLK, third);
    pthread_t id;
    int other = 0, created = pthread_create(&id, NULL, thread, &other);
    int joined = created ? 0 : pthread_join(id, NULL);
    printf("thread %d %d %d\n", created, joined, other);
}

static void tell_all(int argc, char **argv, char **env, int start_errno) {
    printf("name %s %s errno %d constructor %d\n", program_invocation_name, program_invocation_short_name, start_errno,
           constructed_with - argc);
    for (int i = 0; i <= argc; i++)
        printf("argument %d: %s\n", i, argv[i] ? argv[i] : "(end)");
    for (char **e = environ; *e; e++)
        printf("variable: %s\n", *e);
    printf("environment %d contiguous %d\n", env == environ, env == argv + argc + 1);
    while (*env)
        env++;
    unsigned long page = 0;
    for (unsigned long *vector = (unsigned long *)(env + 1); vector[0]; vector += 2)
        if (vector[0] == AT_PAGESZ)
            page = vector[1];
    printf("page size %lu %lu\n", page, getauxval(AT_PAGESZ));
    char folder[4096], input[4096];
    printf("folder %s\n", getcwd(folder, sizeof folder));
    printf("parent %d group %d session %d own number %d\n", getppid(), getpgid(0) == getpid(), getsid(0),
           syscall(SYS_gettid) == getpid());
    cpu_set_t processors;
    sched_getaffinity(0, sizeof processors, &processors);
    printf("processors %d mask %o user %d group %d\n", CPU_COUNT(&processors), umask(0), getuid(), getgid());
    long length = fread(input, 1, sizeof input, stdin);
    printf("input %ld: %.*s\n", length, (int)length, input);
}

static int end(const char *how) {
    if (!strncmp(how, "exit", 4))
        exit(atoi(how + 4));
    if (!strcmp(how, "_exit"))
        _exit(7);
    if (!strcmp(how, "segv"))
        *(volatile int *)8 = 1;
    if (!strcmp(how, "abort"))
        abort();
    if (!strcmp(how, "term"))
        kill(getpid(), SIGTERM);
    if (!strcmp(how, "hang"))
        for (;;)
            pause();
    if (!strcmp(how, "spin"))
        for (;;)
            ;
    if (!strcmp(how, "fork")) {
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0) {
            puts("child");
            exit(3);
        }
        int status = 0;
        waitpid(pid, &status, 0);
        printf("status %x\n", status);
    }
    if (!strcmp(how, "orphan")) {
        fflush(stdout);
        if (fork() == 0)
            for (;;)
                pause();
    }
    if (!strcmp(how, "exec")) {
        fflush(stdout);
        execl("/bin/echo", "echo", "other program", NULL);
    }
    if (!strcmp(how, "file")) {
        FILE *file = fopen("made", "w");
        fputs("content", file);
        fclose(file);
    }
    if (!strcmp(how, "stderr"))
        fputs("complaint", stderr);
    if (!strcmp(how, "chdir"))
        return chdir("/") || setenv("NAME", "changed", 1) || fcntl(1, F_SETFL, O_APPEND);
    return 0;
}

int main(int argc, char **argv, char **env) {
    int start_errno = errno;
    tell_descriptors();
    tell_limits();
    tell_signals();
    tell_threads();
    tell_all(argc, argv, env, start_errno);
    atexit(at_exit);
    return end(argc > 1 ? argv[1] : "");
}
