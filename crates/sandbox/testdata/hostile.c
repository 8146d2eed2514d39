/* A subject that misbehaves in the way its first argument names. The second argument is a folder or port outside. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static char path[4096];

static const char *in(const char *folder, const char *name) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* Prints a line for each attempt that succeeded; silence is what the tests want. */
static void attempt(const char *what, long result) {
    if (result != -1)
        printf("%s\n", what);
}

static int fork_bomb(void) {
    for (;;)
        fork();
}

static int endless_output(void) {
    for (;;)
        puts("more and more and more");
}

static int destroy(const char *folder) {
    struct timeval times[2] = {{1, 0}, {1, 0}};
    attempt("truncate", truncate(in(folder, "canary"), 0));
    attempt("open for writing", open(in(folder, "canary"), O_WRONLY));
    attempt("chmod", chmod(in(folder, "canary"), 0));
    attempt("chown", chown(in(folder, "canary"), getuid(), getgid()));
    attempt("utimes", utimes(in(folder, "canary"), times));
    attempt("setxattr", setxattr(in(folder, "canary"), "user.x", "y", 1, 0));
    attempt("rename", rename(in(folder, "canary"), "here"));
    attempt("link", link(in(folder, "canary"), "here"));
    attempt("unlink", unlink(in(folder, "canary")));
    attempt("rmdir", rmdir(in(folder, "empty")));
    attempt("mkdir", mkdir(in(folder, "new"), 0777));
    attempt("symlink", symlink("canary", in(folder, "new")));
    attempt("mkfifo", mkfifo(in(folder, "new"), 0666));
    attempt("create", open(in(folder, "new"), O_WRONLY | O_CREAT, 0666));
    attempt("create in /tmp", open("/tmp/testhound-was-here", O_WRONLY | O_CREAT, 0666));
    attempt("create in /dev/shm", open("/dev/shm/testhound-was-here", O_WRONLY | O_CREAT, 0666));
    attempt("chmod of the folder", chmod(folder, 0));
    return 0;
}

static int sockets(const char *port, const char *folder) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(port))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int tcp = socket(AF_INET, SOCK_STREAM, 0), udp = socket(AF_INET, SOCK_DGRAM, 0);
    attempt("tcp socket", tcp);
    attempt("tcp connect", connect(tcp, (void *)&address, sizeof address));
    attempt("udp socket", udp);
    attempt("udp send", sendto(udp, "x", 1, 0, (void *)&address, sizeof address));
    attempt("raw socket", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
    attempt("packet socket", socket(AF_PACKET, SOCK_RAW, 0));
    attempt("netlink socket", socket(AF_NETLINK, SOCK_RAW, 0));
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    snprintf(local.sun_path, sizeof local.sun_path, "%s/socket", folder);
    int stream = socket(AF_UNIX, SOCK_STREAM, 0), datagram = socket(AF_UNIX, SOCK_DGRAM, 0), pair[2] = {-1, -1};
    attempt("unix connect", connect(stream, (void *)&local, sizeof local));
    attempt("unix datagram socket", datagram);
    attempt("unix datagram pair", socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
    attempt("unix send", sendto(pair[0], "x", 1, 0, (void *)&local, sizeof local));
    return 0;
}

static int ignore_signals(void) {
    for (int i = 1; i < 65; i++)
        signal(i, SIG_IGN);
    for (;;)
        pause();
}

static int daemonise(void) {
    pid_t pid = fork();
    if (pid == 0) {
        setsid();
        if (fork() == 0) {
            setsid();
            for (;;)
                pause();
        }
        _exit(0);
    }
    waitpid(pid, NULL, 0);
    puts("started");
    return 0;
}

static int fill_scratch(void) {
    static char block[1 << 20];
    long written = 0;
    for (int i = 0; i < 1000; i++) {
        char name[32];
        snprintf(name, sizeof name, "file-%d", i);
        int file = open(name, O_WRONLY | O_CREAT, 0600);
        long n = 0;
        while (file != -1 && n < (8 << 20)) {
            long w = write(file, block, sizeof block);
            if (w <= 0) {
                printf("%ld %s\n", written, strerrorname_np(errno));
                return 0;
            }
            n += w;
            written += w;
        }
    }
    return 1;
}

static int many_files(void) {
    for (int i = 0; i < 1000000; i++) {
        char name[32];
        snprintf(name, sizeof name, "file-%d", i);
        int file = open(name, O_WRONLY | O_CREAT, 0600);
        if (file == -1) {
            printf("%d %s\n", i, strerrorname_np(errno));
            return 0;
        }
        close(file);
    }
    return 1;
}

static int deep_folders(void) {
    int depth = 0;
    while (mkdir("deeper", 0700) == 0 && chdir("deeper") == 0)
        depth++;
    printf("%d %s\n", depth, strerrorname_np(errno));
    return chmod("..", 0) || chmod(".", 0);
}

static int eat_memory(void) {
    long taken = 0;
    for (;;) {
        char *block = malloc(16 << 20);
        if (!block) {
            printf("%ld\n", taken);
            return 0;
        }
        memset(block, 1, 16 << 20);
        taken += 16;
    }
}

static int eat_memory_in_many(void) {
    for (int i = 0; i < 4; i++)
        fork();
    for (int i = 0; i < 16; i++)
        memset(malloc(1 << 20), 1, 1 << 20);
    for (;;)
        pause();
}

static int kill_others(void) {
    for (int signal = 1; signal < 32; signal++) {
        kill(getppid(), signal);
        kill(1, signal);
    }
    attempt("kill all", kill(-1, SIGKILL));
    puts("alive");
    return 0;
}

static int close_all(void) {
    for (int i = 0; i < 1024; i++)
        close(i);
    return 5;
}

static int terminal(void) {
    attempt("open terminal", open("/dev/tty", O_RDWR));
    for (int i = 0; i < 1024; i++)
        if (isatty(i))
            printf("descriptor %d is a terminal\n", i);
        else if (ioctl(i, TIOCSTI, "x") != -1)
            printf("typed into %d\n", i);
    return 0;
}

static int escape(void) {
    attempt("unshare", unshare(CLONE_NEWUSER));
    attempt("clone", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
    attempt("clone3", syscall(SYS_clone3, 0, 0));
    attempt("setns", setns(open("/proc/1/ns/mnt", O_RDONLY), 0));
    attempt("mount", mount("x", ".", "tmpfs", 0, 0));
    attempt("umount", umount2(".", MNT_DETACH));
    attempt("remount", mount(0, "/", 0, MS_REMOUNT | MS_BIND, 0));
    attempt("chroot", chroot("."));
    /* The launcher, and the fork server if there is one. */
    for (int i = 1; i < getpid(); i++) {
        snprintf(path, sizeof path, "/proc/%d/mem", i);
        attempt("trace", ptrace(PTRACE_ATTACH, i, 0, 0));
        attempt("open memory", open(path, O_RDWR));
        attempt("limit", prlimit(i, RLIMIT_NOFILE, &(struct rlimit){0, 0}, NULL));
    }
    cpu_set_t processors;
    sched_getaffinity(0, sizeof processors, &processors);
    attempt("bind", sched_setaffinity(1, sizeof processors, &processors));
    attempt("slow down", setpriority(PRIO_PROCESS, 1, 19));
    attempt("slow down the group", setpriority(PRIO_PGRP, 1, 19));
    attempt("slow down the user", setpriority(PRIO_USER, getuid(), 19));
    if (setpriority(PRIO_PROCESS, 0, 1) || sched_setaffinity(getpid(), sizeof processors, &processors))
        puts("cannot change itself");
    attempt("raise limits", setrlimit(RLIMIT_FSIZE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}));
    attempt("setuid", getuid() ? setuid(0) : -1);
    attempt("hostname", sethostname("x", 1));
    attempt("keyctl", syscall(SYS_keyctl, 0, 0, 0));
    attempt("bpf", syscall(SYS_bpf, 0, 0, 0));
    attempt("io_uring", syscall(SYS_io_uring_setup, 1, 0));
    attempt("shared memory", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
#ifdef __x86_64__
    attempt("x32", syscall(0x40000000 | SYS_getpid));
#endif
    for (int i = 3; i < 1024; i++)
        attempt("inherited descriptor", fcntl(i, F_GETFD));
    return 0;
}

static int devices(void) {
    attempt("read a device", open("/dev/kmsg", O_RDONLY));
    attempt("write a device", open("/dev/kmsg", O_WRONLY));
    attempt("make a terminal", open("/dev/ptmx", O_RDWR));
    attempt("make a device", mknod("null", S_IFCHR | 0666, 0x103));
    char byte;
    int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY), random = open("/dev/urandom", O_RDONLY);
    if (read(zero, &byte, 1) != 1 || write(null, &byte, 1) != 1 || read(random, &byte, 1) != 1)
        puts("harmless devices do not work");
    return 0;
}

static int lock_scratch(void) {
    return mkdir("a", 0700) || mkdir("a/b", 0700) || chmod("a", 0) || chmod(".", 0);
}

static int stop(void) {
    for (;;)
        raise(SIGSTOP);
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "", *second = argc > 2 ? argv[2] : "", *third = argc > 3 ? argv[3] : "";
    setvbuf(stdout, NULL, _IOLBF, 0);
#define MODE(name, call)                                                                                               \
    if (!strcmp(mode, name))                                                                                           \
    return call
    MODE("fork-bomb", fork_bomb());
    MODE("endless-output", endless_output());
    MODE("destroy", destroy(second));
    MODE("sockets", sockets(second, third));
    MODE("ignore-signals", ignore_signals());
    MODE("daemonise", daemonise());
    MODE("fill-scratch", fill_scratch());
    MODE("many-files", many_files());
    MODE("deep-folders", deep_folders());
    MODE("eat-memory", eat_memory());
    MODE("eat-memory-in-many", eat_memory_in_many());
    MODE("kill-others", kill_others());
    MODE("close-all", close_all());
    MODE("terminal", terminal());
    MODE("escape", escape());
    MODE("devices", devices());
    MODE("lock-scratch", lock_scratch());
    MODE("stop", stop());
    MODE("abort", (abort(), 0));
    return 99;
}
