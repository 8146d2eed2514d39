/* The baseline: a bare posix_spawn loop without any sandbox. Usage: loop COUNT PROGRAM
 * Each turn writes the standard input into a memory file, starts PROGRAM with standard output and error in two more
 * memory files, waits for it and reads its output back. The files and the spawn actions are made once, so a turn
 * has as few system calls as this job allows. Prints the nanoseconds that all turns took. */
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    long count = atol(argv[1]);
    const char *text = "one\ntwo\nthree\n";
    char *args[] = {argv[2], "name", NULL}, *env[] = {NULL}, buffer[4096];
    int in = memfd_create("in", MFD_CLOEXEC), out = memfd_create("out", MFD_CLOEXEC),
        err = memfd_create("err", MFD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_adddup2(&actions, err, 2);
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (long i = 0; i < count; i++) {
        pid_t pid;
        int status;
        if (ftruncate(in, 0) || ftruncate(out, 0) || ftruncate(err, 0) || lseek(out, 0, SEEK_SET) ||
            pwrite(in, text, strlen(text), 0) < 0 || lseek(in, 0, SEEK_SET))
            return 3;
        if (posix_spawn(&pid, argv[2], &actions, NULL, args, env) || waitpid(pid, &status, 0) != pid || status)
            return 4;
        if (pread(out, buffer, sizeof buffer, 0) != 14 || pread(err, buffer, sizeof buffer, 0) != 0)
            return 5;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%lld\n", (end.tv_sec - begin.tv_sec) * 1000000000LL + end.tv_nsec - begin.tv_nsec);
    return 0;
}
