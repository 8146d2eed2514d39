#ifndef LEVEL
#define LEVEL 2
#endif
#define EACH(i, n) for (i = 0; i < (n); i++)
#define CHECK(x) if (!(x)) return -1;

#if LEVEL > 1
static int step(int x) { return x + 1; }
#else
static int step(int x) { return x - 1; }
#endif

#if 0
never compiled: a < b;
#endif

int run(int x, int y)
{
    int i;
    CHECK(x > 0)
    if (y > 4)
        y = 4;
#ifdef UNBALANCED
    if (x > y) {
#else
    if (x >= y) {
#endif
        x = step(x)
#if LEVEL
            + 2
#endif
            ;
    }
    EACH(i, y) {
        if (x == 7)
            break;
        x += ({ int t = i * 2; t > 9 ? t : i; });
    }
    return x;
}
