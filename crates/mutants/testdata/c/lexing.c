/* Nothing in here may change: if (a < b) return 1; "quote */
// nor here: a + b \
   nor in the continued line: a - b
#define LARGER(a, b) ((a) > (b) ? (a) : (b)) /* a comment that
   goes on: a == b */
#define TWO_LINES(x) \
    do { (x) = (x) + 1; \
    } while (0)
#  define TEXT "/* no comment */"

int printf(const char *format, ...);

static int quotes(const char *s)
{
    int n = 0;
    while (*s) {
        if (*s == '"') /* " */
            n++;
        if (*s == '\'' || *s == '\\') // '
            n += 2;
        s++;
    }
    printf("/* %d < 3 // \" */ %s" "a + b\
 - c\n", n, TEXT);
    return n;
}

int numbers(int x)
{
    unsigned long mask = 0xFFul;
    double rate = 1e-3 * 2.5f, half = .5;
    TWO_LINES(x);
    x = x+/* touching */-1;
    x = x-/**/ 0x1e*2;
    if (LARGER(x, 010) != 'a' && "abc"<:x:> == '\n')
        rate = rate
            + half;
    return (int)(x & mask) <<2|quotes("'") ^ (rate>0.);
}
