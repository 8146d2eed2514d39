/* Connects over TCP to the address and port of its arguments, sends its input, prints what comes back. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv) {
    char buffer[4096];
    struct sockaddr_in four = {.sin_family = AF_INET};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    if (argc != 3)
        return 2;
    four.sin_port = six.sin6_port = htons(atoi(argv[2]));
    int is_four = inet_pton(AF_INET, argv[1], &four.sin_addr);
    if (!is_four && !inet_pton(AF_INET6, argv[1], &six.sin6_addr))
        return 2;
    int fd = socket(is_four ? AF_INET : AF_INET6, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, is_four ? (void *)&four : (void *)&six, is_four ? sizeof four : sizeof six)) {
        perror("connect");
        return 1;
    }
    long n;
    while ((n = read(0, buffer, sizeof buffer)) > 0)
        if (write(fd, buffer, n) != n)
            return 3;
    shutdown(fd, SHUT_WR);
    while ((n = read(fd, buffer, sizeof buffer)) > 0)
        if (write(1, buffer, n) != n)
            return 3;
    return 0;
}
