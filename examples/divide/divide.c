/* Divides two whole numbers read from the command line; deliberately wrong in three ways. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: divide A OP B\n");
        return 2;
    }
    long a = atol(argv[1]), b = atol(argv[3]);
    if (strcmp(argv[2], "div") == 0) {
        if (b == 0)
            abort(); /* fault 1: should be exit 3 */
        printf("%ld\n", a / b);
    } else if (strcmp(argv[2], "mod") == 0) {
        if (b == 0)
            return 3;
        printf("%ld\n", a < 0 ? -(a % b) : a % b); /* fault 2: sign of negative numbers */
    } else if (strcmp(argv[2], "spin") == 0) {
        for (volatile int i = 0;; i++) /* fault 3: endless */
            ;
    } else {
        return 0; /* fault 4: unknown operators are not refused */
    }
    return 0;
}
