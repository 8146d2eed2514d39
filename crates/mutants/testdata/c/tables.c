enum colour { RED = 1, GREEN, BLUE = RED + 4 };
struct flags { unsigned low : 3, high : 5; int size[4]; };
typedef int grid[3][3];

int limit = 100, other = -1;
static const int days[13] = { 0, 31, 28 + 1, [4] = 30, [5] 31 };
const char *const names[] = { "a < b", "c", 0 };
struct flags preset = { .low = 2, .size = { [0] = 1, 7 } };
char first = 'a', *text = "1 + 2", *nothing = 0;
double ratio = 0.5;
int (*handler)(int, int) = 0;
__attribute__((aligned(16))) static int padded[2 * 8];
_Static_assert(sizeof(int) == 4, "4 bytes");

__attribute__((noinline)) int lookup(int month, int buffer[static 3])
{
    static int calls = 3;
    static const grid table = { { 1, 0 }, { 2 } };
    int scratch[2 + 2] = { 5, month + 6 }, result = days[month % 13];
    struct flags local = { 1, 2 }, *pointer = &local;
    extern int errors;
    typedef long wide;
    wide big = (wide)month << 3, *where = &big;
    padded[1] = GREEN;
    calls++;
    return result + table[1][0] * scratch[2] + pointer->size[3] + (int)*where + buffer[BLUE] + errors;
}
