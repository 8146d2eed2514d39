typedef struct node *list;
typedef unsigned char byte;
struct node { int value; struct node *next; double weight; };

extern int use(int *p, int n);
static int twice(int (*f)(int), int x) { return (*f)(x) + f(-x); }

int pointers(int *p, int n, char **words)
{
    int *q = &n, **r = &q, i;
    char *end = *words + 1;
    i = *p**q;
    i = n * *p - -n;
    i = (int)*p + (byte)*q + (n)*i + sizeof (int)*n;
    i = -*p+*q;
    *p = ~n & *q;
    *p++ = n & 1;
    i = p - q;
    p = p + n - 1;
    p += 2;
    q = (int *)(void *)end;
    if (!p || !*p && p != 0)
        return use(&i, n) + use(&n, - 1);
    **r = end[-1] - '0';
    return p < q;
}

double members(list l, struct node whole, int n)
{
    struct node copy = whole;
    struct node *next = l->next;
    double sum = 0, *where = &sum;
    copy = whole;
    copy.value = whole.value + n;
    sum = l->weight * n + (*where / 2) + (1 + sum) * n;
    sum /= n;
    copy.next = next;
    l = l->next->next;
    return sum + sizeof(struct node *[4]) * n + copy.weight / ((struct node){ .value = 3 }).value + twice(0, n);
}
