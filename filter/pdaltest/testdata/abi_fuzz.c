// SPDX-License-Identifier: BSD-3-Clause
/* Bytes that choose calls of the C boundary, their lengths and numbers. Every
 * failure has a text, none says "internal error", and outputs are as long as the cloud.
 * testdata/fuzz-abi.sh builds it for libFuzzer, which seeks bytes that reach new
 * code. With -DREPLAY it is a program that runs the files named on four threads, which
 * close each other's handles, forks, and looks for leaks. */
#include <superpoint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 60, COLUMNS = 6 };

struct input {
    const uint8_t *at;
    size_t left;
};

static void take(struct input *in, void *to, size_t n) /* zeros after the end */
{
    size_t have = n < in->left ? n : in->left;
    memset(to, 0, n);
    memcpy(to, in->at, have);
    in->at += have, in->left -= have;
}

static uint8_t byte(struct input *in)
{
    uint8_t b;
    take(in, &b, 1);
    return b;
}

static char *text(struct input *in) /* null, or up to 254 bytes */
{
    uint8_t n = byte(in);
    if (n == 255)
        return NULL;
    char *s = calloc(1, (size_t)n + 1);
    take(in, s, n);
    if (strstr(s, "internal") || strchr(s, '/')) /* errors quote it; and no files of this machine */
        *s = 0;
    return s;
}

static void check(int ok, char *error)
{
    if (!ok != (error != NULL) || (error && strstr(error, "internal error"))) {
        fprintf(stderr, "result %d, error: %s\n", ok, error ? error : "none");
        abort();
    }
    sp_free(error);
}

static uint64_t open_some(struct input *in)
{
    static const char *const options[][3] = {
        {"model=geometric"},
        {"method=vccs"},
        {"method=lin"},
        {"method=ssp-cluster", "model=geometric"},
        {"model=geometric", "solver=cut-pursuit", "color=true"},
        {"model=geometric", "vote=A", "embedding_color=true"},
        {"model=geometric", "solver=cut-pursuit", "delaunay=true"},
        {"model=auto"},
    };
    uint8_t which = byte(in);
    const char *given[4];
    char *own = which & 8 ? text(in) : NULL, *error = NULL;
    int32_t count = 0;
    while (count < 3 && options[which & 7][count]) {
        given[count] = options[which & 7][count];
        ++count;
    }
    if (own)
        given[count++] = own;
    uint64_t handle = sp_open(count, given, NULL, &error);
    check(handle != 0, error);
    free(own);
    return handle;
}

/* A number: whole, or any eight bytes. */
static double number(struct input *in, int any)
{
    double v;
    if (!any)
        return (int8_t)byte(in);
    take(in, &v, sizeof v);
    return v;
}

static void segment(struct input *in, uint64_t handle, uint64_t *count)
{
    sp_column column[COLUMNS] = {{.name = "X"}, {.name = "Y"}, {.name = "Z"}, {.name = "A"}, {.name = "B"}};
    double *values[COLUMNS];
    sp_cloud cloud = {0};
    uint8_t flags = byte(in);
    char *wkt = flags & 1 ? text(in) : NULL, *own = flags & 2 ? text(in) : NULL, *error = NULL;
    uint64_t points = byte(in) % MOST;
    /* arrays of exactly the length: the address sanitizer finds an access beyond */
    for (int k = 0; k < COLUMNS; ++k) {
        values[k] = malloc(points * sizeof(double) + 1);
        int odd = flags & 4 ? byte(in) : -1;
        for (uint64_t i = 0; i < points; ++i) values[k][i] = number(in, (int)i == odd || (flags & 24) == 24);
        column[k].values = values[k], column[k].count = points;
    }
    column[COLUMNS - 1].name = own;
    if (flags & 32 && byte(in) == 1)
        column[0].values = NULL;
    cloud.column = column, cloud.columns = 3 + byte(in) % (COLUMNS - 2);
    cloud.reference.wkt = wkt, cloud.reference.read = flags & 64 ? own : NULL, cloud.reference.geokeys = own;
    column[byte(in) % cloud.columns].count += byte(in); /* 0 after the end of the bytes */
    int ok = sp_segment(handle, &cloud, NULL, &error);
    check(ok, error);
    for (uint32_t k = 1; ok && k < cloud.columns; ++k)
        if (column[k].count != column[0].count) {
            fprintf(stderr, "column %u of another length was taken\n", k);
            abort();
        }
    if (ok)
        *count = column[0].count;
    for (int k = 0; k < COLUMNS; ++k) free(values[k]);
    free(wkt), free(own);
}

static void output(struct input *in, uint64_t handle, uint64_t count)
{
    uint64_t n = byte(in) & 1 ? byte(in) : count;
    double *values = malloc(n * sizeof(double) + 1);
    char *own = byte(in) & 1 ? text(in) : NULL, *error = NULL;
    int ok = sp_output(handle, own ? own : "SuperpointID", values, n, &error);
    check(ok, error);
    if (ok && n != count) {
        fprintf(stderr, "%llu values of %llu points\n", (unsigned long long)n, (unsigned long long)count);
        abort();
    }
    for (uint64_t i = 0; ok && !own && i < n; ++i)
        if (!(values[i] >= 1 && values[i] <= (double)n)) {
            fprintf(stderr, "id %g of point %llu\n", values[i], (unsigned long long)i);
            abort();
        }
    free(values), free(own);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    uint64_t handle = open_some(&in), count = 0;
    for (int calls = 0; in.left > 0 && calls < 6; ++calls) {
        char *error = NULL, *own, *got;
        switch (byte(&in) % 6) {
        case 0:
            own = text(&in);
            got = sp_describe(handle, own, NULL, &error);
            check(got != NULL, error);
            sp_free(got), free(own);
            break;
        case 1:
            got = sp_metadata(handle, &error);
            check(got != NULL, error);
            sp_free(got);
            break;
        case 2:
            output(&in, handle, count);
            break;
        case 3:
            sp_close(byte(&in) & 1 ? handle : 0); /* later calls are refused */
            break;
        default:
            segment(&in, handle, &count);
        }
    }
    sp_close(handle);
    return 0;
}

#ifdef REPLAY
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 2 };

/* Seconds after which a process is taken to hang, also beside other load. */
enum { hanging = 600 };

static char **inputs;
static int input_count;
static _Atomic uint64_t shared; /* a handle that another thread uses */

static void run_file(const char *path, unsigned seed)
{
    uint8_t data[1 << 12];
    char *error = NULL, *got;
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        abort();
    }
    size_t n = fread(data, 1, sizeof data, f);
    fclose(f);
    fprintf(stderr, "%s\n", path); /* the last ones named are those that may have failed */
    LLVMFuzzerTestOneInput(data, n);
    struct input in = {data, n};
    uint64_t handle = open_some(&in), other = atomic_exchange(&shared, handle);
    if (seed & 1)
        sp_close(other);
    got = sp_describe(other, "X,Y,Z", NULL, &error);
    check(got != NULL, error);
    sp_free(got);
    sp_close(other);
}

static void *run_all(void *seed)
{
    for (int i = 0; i < input_count; ++i) /* each thread in another order */
        run_file(inputs[(i * 7 + *(unsigned *)seed * 13) % input_count], *(unsigned *)seed + i);
    return NULL;
}

/* The child of a fork gets an error from every function and does not hang. */
static void forked(void)
{
    int status = 1;
    pid_t child = fork();
    if (child == 0) {
        const char *geometric[] = {"model=geometric"};
        char *error = NULL;
        double value;
        sp_host host = {0};
        alarm(hanging);
        int refused = sp_open(1, geometric, NULL, &error) == 0 && error && strstr(error, "fork");
        refused = refused && !sp_describe(1, NULL, NULL, NULL) && !sp_segment(1, NULL, NULL, NULL) &&
                  !sp_output(1, NULL, &value, 1, NULL) && !sp_metadata(1, NULL) &&
                  !sp_command(0, NULL, NULL, NULL, NULL) && sp_abi_version() == SP_ABI_VERSION;
        sp_free(error);
        sp_cancel(&host);
        sp_close(1);
        _exit(!refused);
    }
    if (waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "the child of a fork ended with status %d\n", status);
        abort();
    }
}

static long resident(void) /* kB */
{
    long total = 0, pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%ld %ld", &total, &pages) != 2)
        abort();
    fclose(f);
    return pages * (sysconf(_SC_PAGESIZE) >> 10);
}

int main(int count, char **files)
{
    long first = 0;
    inputs = files + 1, input_count = count - 1;
    for (int round = 0; round < ROUNDS; ++round) {
        pthread_t threads[THREADS];
        unsigned seeds[THREADS];
        for (int i = 0; i < THREADS; ++i) {
            seeds[i] = i;
            pthread_create(&threads[i], NULL, run_all, &seeds[i]);
        }
        forked(); /* while the threads call */
        for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
        forked();
        if (round == 0)
            first = resident();
    }
    long grown = resident() - first;
    printf("the second round grew the process by %ld kB\n%s\n", grown, grown > 64 << 10 ? "a leak" : "all well");
    return grown > 64 << 10;
}
#endif
