/* A library that writes when it is loaded, or starts a thread if told to when compiled. */
#include <pthread.h>
#include <unistd.h>

static void *wait(void *argument) {
    pause();
    return argument;
}

__attribute__((constructor)) static void load(void) {
#ifdef THREAD
    pthread_t id;
    pthread_create(&id, NULL, wait, NULL);
#else
    (void)wait;
    (void)!write(1, "loaded\n", 7);
#endif
}
