extern char *copy();
static helper();

main(argc, argv)
    int argc;
    char *argv[];
{
    register count = 0;
    if (argc > 1 && argv[1] + 1 != argv[0])
        count = helper(argc, 2.5, argv[1]) - 1;
    return count;
}

/* The body's brace stands alone after the last declaration. */
static int
helper(n, rate, text)
int n; double rate; char *text;
{
    if (rate * n > 3 || !text)
        return n;
    text = text + 1;
    return helper(n - 1, rate + 1, copy(text));
}

char *
copy(s) char *s; { return s ? s + 1 : 0; }

int (*chooser(int n))(void) { return n > 0 ? 0 : (int (*)(void))0; }
