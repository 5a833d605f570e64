// SPDX-License-Identifier: BSD-3-Clause
/*
 * Starts of pdal for tests without the work of the loader: to find 65,000 symbols in 130 libraries takes most
 * of the time of a small command, and is the same at each start.
 *
 * As a library that is loaded first (LD_PRELOAD), this file makes pdal a server: after the loader and before
 * main. For each client that connects to the socket, descriptor 3, it forks a process that has the client's
 * arguments, environment, folder, umask, signals and descriptors 0 to 2, and calls main of pdal. The plugins are
 * loaded in that process, as in any other.
 *
 * As a program (-DCLIENT), it is pdal for its caller: it ends as that process does, and that process ends with
 * it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What a client sends first, with its descriptors. The strings follow, each with its zero byte. */
struct request {
    uint32_t bytes; /* of all strings */
    uint32_t arguments;
    uint32_t variables;
    uint32_t mask;    /* umask */
    uint64_t ignored; /* the signals that the client ignores: bit k - 1 is signal k */
    uint64_t blocked; /* those that it blocks */
};

/* The descriptors of a client: its three streams and its folder. */
enum { streams = 3, descriptors = 4 };

enum { lastSignal = 64 };

static uint64_t bitOf(int number) { return UINT64_C(1) << (number - 1); }

static void fail(const char *what)
{
    fprintf(stderr, "forks.c: %s: %s\n", what, strerror(errno));
    _exit(126);
}

static void need(int holds, const char *what)
{
    if (!holds)
        fail(what);
}

/* The buffer of a message's descriptors. */
union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(descriptors * sizeof(int))];
};

#ifdef CLIENT

static uint32_t countStrings(char **strings, uint32_t *bytes)
{
    uint32_t count = 0;
    for (; strings[count]; count++) *bytes += strlen(strings[count]) + 1;
    return count;
}

static void sendAll(int server, const char *data, size_t length)
{
    while (length > 0) {
        const ssize_t n = write(server, data, length);
        need(n > 0, "write");
        data += n;
        length -= n;
    }
}

static void sendStrings(int server, char **strings)
{
    for (; *strings; strings++) sendAll(server, *strings, strlen(*strings) + 1);
}

static void sendRequest(int server, const struct request *request)
{
    int sent[descriptors] = {0, 1, 2, open(".", O_PATH | O_DIRECTORY)};
    need(sent[streams] >= 0, "open the folder");
    union control control = {0};
    struct iovec data = {(void *)request, sizeof *request};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof sent);
    memcpy(CMSG_DATA(rights), sent, sizeof sent);
    need(sendmsg(server, &message, 0) == sizeof *request, "send");
}

static uint64_t ignoredSignals(void)
{
    uint64_t bits = 0;
    for (int k = 1; k <= lastSignal; k++) {
        struct sigaction action;
        /* libc keeps two signals for itself and refuses them */
        if (sigaction(k, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
            bits |= bitOf(k);
    }
    return bits;
}

static uint64_t blockedSignals(void)
{
    sigset_t set;
    need(sigprocmask(SIG_BLOCK, NULL, &set) == 0, "blocked signals");
    uint64_t bits = 0;
    for (int k = 1; k <= lastSignal; k++) {
        if (sigismember(&set, k) == 1)
            bits |= bitOf(k);
    }
    return bits;
}

/* Ends this process by a signal, also where it is ignored or blocked. */
static void endBy(int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    signal(number, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
}

static int connected(void)
{
    const char *path = getenv("SUPERPOINT_FORKS");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    need(path && strlen(path) < sizeof address.sun_path, "SUPERPOINT_FORKS");
    strcpy(address.sun_path, path);
    const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    need(connect(server, (struct sockaddr *)&address, sizeof address) == 0, path);
    return server;
}

int main(int argc, char **argv)
{
    (void)argc;
    const int server = connected();
    struct request request = {.mask = umask(0), .ignored = ignoredSignals(), .blocked = blockedSignals()};
    request.arguments = countStrings(argv, &request.bytes);
    request.variables = countStrings(environ, &request.bytes);
    sendRequest(server, &request);
    sendStrings(server, argv);
    sendStrings(server, environ);
    int status = 0;
    need(read(server, &status, sizeof status) == sizeof status, "no status");
    if (WIFSIGNALED(status))
        endBy(WTERMSIG(status));
    return WEXITSTATUS(status);
}

#else

typedef int (*program)(int, char **, char **);
static program pdal;

/* The names of variables that the launcher sets for the loader and for libraries of PDAL. */
static const char *const ofTheLauncher[] = {"LD_LIBRARY_PATH", "PROJ_LIB", "GDAL_DATA", "PDAL_DRIVER_PATH"};
enum { launcherVariables = sizeof ofTheLauncher / sizeof *ofTheLauncher };

/* Receives the descriptors and the head of a request. */
static void receive(int client, struct request *request, int *received)
{
    union control control;
    struct iovec data = {request, sizeof *request};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    need(recvmsg(client, &message, MSG_WAITALL) == sizeof *request, "receive");
    const struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    need(rights && rights->cmsg_len == CMSG_LEN(descriptors * sizeof(int)), "descriptors");
    memcpy(received, CMSG_DATA(rights), descriptors * sizeof(int));
}

/* Returns `count` pointers to strings that follow one another from *next on, and a null pointer. */
static char **list(char **next, uint32_t count)
{
    char **strings = calloc(count + 1, sizeof *strings);
    need(strings != NULL, "memory");
    for (uint32_t k = 0; k < count; k++) {
        strings[k] = *next;
        *next += strlen(*next) + 1;
    }
    return strings;
}

static char *receiveStrings(int client, size_t bytes)
{
    char *text = malloc(bytes);
    need(text != NULL, "memory");
    need(recv(client, text, bytes, MSG_WAITALL) == (ssize_t)bytes, "receive strings");
    return text;
}

/*
 * The environment is replaced where the kernel has put it, behind the arguments: the Go library reads it there, and
 * behind it the auxiliary vector. So the number of variables stays: the server is started with more than any client
 * has, and what is left over has the text `padding`.
 */
static char **environment;
static uint32_t room;
static char padding[] = "FORKS_PADDING=";

static int isPadding(const char *variable) { return strncmp(variable, padding, sizeof padding - 1) == 0; }

static void add(uint32_t *count, char *variable)
{
    need(*count < room, "too many variables");
    environment[(*count)++] = variable;
}

static int isOfTheLauncher(const char *variable)
{
    for (int k = 0; k < launcherVariables; k++) {
        const size_t length = strlen(ofTheLauncher[k]);
        if (strncmp(variable, ofTheLauncher[k], length) == 0 && variable[length] == '=')
            return 1;
    }
    return 0;
}

/* Takes the environment of a client, with the variables that the launcher has set for this process. */
static void takeEnvironment(char **variables)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < room; k++) {
        if (isOfTheLauncher(environment[k]))
            add(&count, environment[k]);
    }
    for (; *variables; variables++) {
        if (!isOfTheLauncher(*variables) && !isPadding(*variables))
            add(&count, *variables);
    }
    while (count < room) add(&count, padding);
    environ = environment;
}

/* Takes the signals of a client: after exec a signal is ignored or has its default, and stays blocked. */
static void takeSignals(const struct request *request)
{
    sigset_t blocked;
    sigemptyset(&blocked);
    for (int k = 1; k <= lastSignal; k++) {
        signal(k, request->ignored & bitOf(k) ? SIG_IGN : SIG_DFL);
        if (request->blocked & bitOf(k))
            sigaddset(&blocked, k);
    }
    need(sigprocmask(SIG_SETMASK, &blocked, NULL) == 0, "block signals");
}

/* Runs pdal for a client, in a process of its own. */
static int run(int client, const struct request *request, const int *received)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    char *next = receiveStrings(client, request->bytes);
    close(client);
    char **arguments = list(&next, request->arguments);
    takeEnvironment(list(&next, request->variables));
    need(fchdir(received[streams]) == 0, "folder");
    close(received[streams]);
    for (int k = 0; k < streams; k++) {
        dup2(received[k], k);
        close(received[k]);
    }
    umask(request->mask);
    takeSignals(request);
    return pdal(request->arguments, arguments, environ);
}

/* Waits for the end of a process, which closes `end`; ends it when the client ends. */
static int await(pid_t process, int end, int client)
{
    struct pollfd watched[] = {{.fd = end}, {.fd = client}};
    while (poll(watched, 2, -1) < 0 && errno == EINTR) continue;
    if (!watched[0].revents)
        kill(process, SIGKILL);
    int status = 0;
    waitpid(process, &status, 0);
    return status;
}

/* Serves a client: the process that calls main of pdal returns its exit code. */
static int serve(int client)
{
    struct request request;
    int received[descriptors];
    int end[2];
    signal(SIGCHLD, SIG_DFL);
    receive(client, &request, received);
    need(pipe2(end, O_CLOEXEC) == 0, "pipe");
    const pid_t process = fork();
    need(process >= 0, "fork");
    if (process == 0) {
        close(end[0]);
        return run(client, &request, received);
    }
    close(end[1]);
    for (int k = 0; k < descriptors; k++) close(received[k]);
    const int status = await(process, end[0], client);
    const ssize_t sent = write(client, &status, sizeof status);
    _exit(sent == sizeof status ? 0 : 1);
}

/* Waits for a client; ends the server at the end of its input. */
static int nextClient(int listening)
{
    struct pollfd watched[] = {{.fd = listening, .events = POLLIN}, {.fd = 0}};
    int ready;
    do ready = poll(watched, 2, -1);
    while (ready < 0 && errno == EINTR); /* as after Ctrl-Z and fg in a shell */
    need(ready > 0, "poll");
    if (watched[1].revents)
        _exit(0);
    const int client = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    need(client >= 0, "accept");
    return client;
}

static int server(int argc, char **argv, char **variables)
{
    (void)argc, (void)argv;
    const int listening = 3;
    environment = variables;
    while (variables[room]) room++;
    signal(SIGCHLD, SIG_IGN); /* processes that served a client leave no zombies */
    for (;;) {
        const int client = nextClient(listening);
        const pid_t process = fork();
        need(process >= 0, "fork");
        if (process == 0) {
            close(listening);
            return serve(client);
        }
        close(client);
    }
}

/* libc calls this with main of pdal after the loader's work. */
int __libc_start_main(program main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*ofLoader)(void), void *stack)
{
    int (*real)(program, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
    *(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
    pdal = main;
    return real(server, argc, argv, init, fini, ofLoader, stack);
}

#endif
