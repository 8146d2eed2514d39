/* What divide.c should do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    long a = atol(argv[1]), b = atol(argv[3]);
    if (strcmp(argv[2], "div") != 0 && strcmp(argv[2], "mod") != 0)
        return strcmp(argv[2], "spin") == 0 ? 0 : 2;
    if (b == 0)
        return 3;
    printf("%ld\n", strcmp(argv[2], "div") == 0 ? a / b : a % b);
    return 0;
}
