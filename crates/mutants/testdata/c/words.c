/* Counts the words of a text that are longer than a limit; a program like those that mutants are made for. */
typedef unsigned long size;

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size length_at(const char *text, size start)
{
    size end = start;
    while (is_letter(text[end]))
        end++;
    return end - start;
}

int count_words(const char *text, size shortest)
{
    int count = 0;
    size at = 0, longest = 0;
    while (text[at] != '\0') {
        size length = length_at(text, at);
        if (length == 0) {
            at++;
            continue;
        }
        if (length >= shortest) {
            count = count + 1;
            if (length > longest)
                longest = length;
        }
        at += length;
    }
    return longest > 20 ? -count : count;
}

/* The product of two numbers below 2 to the power of 16, by shifts. */
unsigned multiply(unsigned a, unsigned b)
{
    unsigned product = 0, bit;
    for (bit = 0; bit < 16; bit++) {
        if (b & (1u << bit))
            product += a << bit;
    }
    return product;
}
