int get(void);
void put(int c);

int loops(int n)
{
    int i, sum = 0;
    for (i = 0; i < n; i++) {
        if (i == 3)
            continue;
        else if (i > 7)
            break;
        sum += i;
    }
    for (;;)
        if (++sum > 99)
            break;
    for (int j = n; j; --j) put(j--);
    do
        sum--;
    while (sum % 3 != 0);
    do { put(sum); } while (get() > 0 && --n);
    return sum;
}

int choices(int a, int b)
{
    while (a) {
        switch (get() + b) {
        case 1:
        case 'x':
            a--;
            break;
        case 1 ? 5 : 6: {
            put(a);
            continue;
        }
        default:
            goto out;
        }
    }
    switch (b) { case 0: b = 2; break; case 7: ; }
    return a ? b ? 1 : 2 : b > 3 ? a + b : -1;
out:
    put(a > b ? a : b);
    if (a) b ? put(a) : put(b);
    return a = b ? 4 : 5;
}

void jumps(int n)
{
again:
    if (n > 3)
        goto end;
    if (n == 1) {
inner:
        n += 2;
        goto again;
    }
    while (n --> 0)
        if (n & 1) goto inner;
    {
        int n = 2;
        put(n);
    }
end:
    put(n); return;
}
