/* Forgets its memory if it has an argument. */
#include <stdlib.h>

static char *volatile memory;

int main(int argc, char **argv) {
    (void)argv;
    memory = malloc(10);
    if (argc == 1)
        free(memory);
    memory = NULL;
    return 0;
}
