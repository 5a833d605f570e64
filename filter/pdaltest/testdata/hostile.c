/* A host in C that calls the library in random ways: any lengths, null
 * pointers, numbers that are none, stale handles, many threads, and a fork.
 *
 *     hostile CALLS SEED
 */
#include <superpoint.h>

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 700, THREADS = 4, HANDLES = 6 };

static int failures;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t handles[HANDLES]; /* shared by the threads, closed under each other's feet */

static void complain(const char *what, const char *detail)
{
    pthread_mutex_lock(&mutex);
    printf("not so: %s (%s)\n", what, detail ? detail : "");
    ++failures;
    pthread_mutex_unlock(&mutex);
}

static uint32_t pick(uint32_t *state, uint32_t n) /* xorshift, Marsaglia 2003 */
{
    *state ^= *state << 13, *state ^= *state >> 17, *state ^= *state << 5;
    return *state % n;
}

static double odd(uint32_t *state)
{
    static const double odds[] = { NAN, INFINITY, -INFINITY, DBL_MAX, -DBL_MAX, DBL_MIN, 4.9e-324, -0.0, 1e9, -1e15,
                                  1e300 };
    return odds[pick(state, sizeof odds / sizeof *odds)];
}

struct caller { pthread_t self; uint32_t state; int calls, ok; };

static void on_log(void *context, int32_t level, const char *text)
{
    if (!pthread_equal(pthread_self(), ((struct caller *)context)->self))
        complain("log comes on the caller's thread", text);
}

static void on_progress(void *context, const char *step, double fraction)
{
    if (!pthread_equal(pthread_self(), ((struct caller *)context)->self) || !(fraction >= 0 && fraction <= 1))
        complain("progress", step);
}

/* Every failure has a text, and no text speaks of a bug. */
static void check(struct caller *c, int ok, char **text)
{
    char *error = *text;
    ++c->calls, c->ok += ok;
    if (!ok && !error)
        complain("a failure without a text", NULL);
    if (ok && error)
        complain("a text without a failure", error);
    if (error && strstr(error, "internal error"))
        complain("no panic", error);
    sp_free(error);
}

static void one(struct caller *c)
{
    static const char *const options[] = {
        "model=geometric", "solver=cut-pursuit", "color=true", "method=vccs", "method=lin", "method=ssp-cluster",
        "target_size=7", "vote=A", "truth=A", "", "=", "[1]", "\xff\xfe", "knn=1e999", "model=\x01",
        "voxel_resolution=1e-9", NULL,
    };
    uint32_t *s = &c->state;
    struct sp_host host = { c, on_log, on_progress, NULL };
    const sp_host *h = pick(s, 8) ? &host : NULL;
    char *error = NULL, *text;
    uint64_t *slot = &handles[pick(s, HANDLES)];
    pthread_mutex_lock(&mutex);
    uint64_t handle = pick(s, 30) ? *slot : pick(s, 1000000);
    pthread_mutex_unlock(&mutex);
    switch (pick(s, 9)) {
    case 0: {
        const char *some[3] = { pick(s, 2) ? "model=geometric" : "method=vccs" };
        int32_t count = 1 + pick(s, 3);
        for (int32_t i = 1; i < count; ++i)
            some[i] = options[pick(s, sizeof options / sizeof *options)];
        uint64_t opened = sp_open(pick(s, 20) ? count : -1, pick(s, 20) ? some : NULL, h, &error);
        check(c, opened != 0, &error);
        pthread_mutex_lock(&mutex);
        uint64_t old = *slot;
        if (opened)
            *slot = opened;
        pthread_mutex_unlock(&mutex);
        if (opened)
            sp_close(old);
        break;
    }
    case 1:
        if (pick(s, 4) == 0)
            sp_close(handle);
        sp_close(pick(s, 2) ? handle : 0);
        break;
    case 2:
        text = sp_describe(handle, pick(s, 4) ? "X,Y,Z,A,,A" : NULL, h, &error);
        check(c, text != NULL, &error);
        sp_free(text);
        break;
    case 3:
        text = sp_metadata(handle, &error);
        check(c, text != NULL, &error);
        sp_free(text);
        break;
    case 4: {
        double values[MOST];
        uint64_t n = pick(s, 4) ? pick(s, MOST) : (uint64_t)-1 - pick(s, 3);
        check(c, sp_output(handle, pick(s, 9) ? "SuperpointID" : NULL, pick(s, 9) ? values : NULL, n, &error), &error);
        break;
    }
    case 5: {
        static const char *const arguments[] = { "info", "eval", "render", "compare", "--model", "geometric",
                                                "--truth", "", "\xff", "nowhere.laz", "-h", "help" };
        const char *list[5];
        for (int i = 0; i < 5; ++i)
            list[i] = pick(s, 9) ? arguments[pick(s, 9)] : NULL;
        if (pick(s, 5) == 0) /* mostly the cloud, which is dearer to get right */
            check(c, sp_command((int32_t)pick(s, 7) - 1 > 5 ? -3 : (int32_t)pick(s, 6), pick(s, 9) ? list : NULL,
                                h, NULL, &error), &error);
        break;
    }
    default: {
        double x[MOST], y[MOST], z[MOST], a[MOST];
        uint64_t count = pick(s, MOST);
        sp_column column[] = { { "X", x, count }, { "Y", y, count }, { "Z", z, count }, { "A", a, count },
                               { "", a, count } };
        sp_cloud cloud = { 0 };
        double reach = pow(10, (int)pick(s, 9) - 3);
        for (uint64_t i = 0; i < count; ++i)
            x[i] = reach * pick(s, 1000), y[i] = reach * pick(s, 1000), z[i] = pick(s, 2) ? reach * pick(s, 1000) : 0,
            a[i] = pick(s, 9);
        for (uint32_t n = pick(s, 4); n > 2 && count; --n)
            (pick(s, 2) ? x : z)[pick(s, count)] = odd(s), a[pick(s, count)] = odd(s);
        for (int k = 0; k < 5; ++k) {
            column[k].name = pick(s, 100) ? column[k].name : NULL;
            column[k].values = pick(s, 100) ? column[k].values : NULL;
            if (pick(s, 100) == 0)
                column[k].count = pick(s, 2) ? (uint64_t)1 << (32 + pick(s, 32)) : pick(s, MOST);
        }
        if (pick(s, 30) == 0)
            for (int k = 0; k < 5; ++k)
                column[k].count = (uint64_t)1 << (32 + pick(s, 32));
        cloud.columns = pick(s, 30) ? 3 + pick(s, 3) : pick(s, 2) ? UINT32_MAX : pick(s, 3);
        cloud.column = pick(s, 50) ? column : NULL;
        static const char *const wkts[] = { NULL, "", "PROJCS[", "GEOGCS[\"a\"]", "UNIT[\"m\",1e400]",
                                           "PROJCS[\"x\",UNIT[\"foot\",0.3048]]", "\xff",
                                           "LOCAL_CS[\"x\",UNIT[\"m\",-1]]" };
        cloud.wkt = wkts[pick(s, sizeof wkts / sizeof *wkts)];
        cloud.geographic = pick(s, 9) ? 0 : (int32_t)pick(s, 5) - 1;
        check(c, sp_segment(handle, pick(s, 50) ? &cloud : NULL, h, &error), &error);
    }
    }
}

static int calls;

static void *work(void *context)
{
    struct caller *c = context;
    c->self = pthread_self();
    for (int i = 0; i < calls; ++i)
        one(c);
    return NULL;
}

static long resident(void) /* pages */
{
    long total = 0, pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld %ld", &total, &pages) != 2)
        pages = 0;
    if (f)
        fclose(f);
    return pages;
}

/* The child of a fork gets an error from every function, not a hang; the parent goes on. */
static void forked(void)
{
    pid_t child = fork();
    if (child == 0) {
        char *error = NULL;
        alarm(10);
        const char *geometric[] = { "model=geometric" };
        int refused = sp_open(1, geometric, NULL, &error) == 0 && error && strstr(error, "fork");
        sp_free(error);
        double value;
        sp_host host = { 0 };
        refused = refused && !sp_describe(1, NULL, NULL, NULL) && !sp_segment(1, NULL, NULL, NULL) &&
                  !sp_output(1, NULL, &value, 1, NULL) && !sp_metadata(1, NULL) &&
                  !sp_command(0, NULL, NULL, NULL, NULL) && sp_abi_version() == SP_ABI_VERSION;
        sp_cancel(&host);
        sp_close(1);
        _exit(refused ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        complain("the child of a fork is refused", WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "no error");
}

int main(int count, char **arguments)
{
    calls = count > 1 ? atoi(arguments[1]) : 1000;
    uint32_t seed = count > 2 ? (uint32_t)atoi(arguments[2]) : 1;
    struct caller callers[THREADS] = { 0 };
    pthread_t threads[THREADS];
    long first = 0;
    for (int round = 0; round < 2; ++round) { /* what a second round adds is a leak */
        for (int i = 0; i < THREADS; ++i) {
            callers[i].state = 2654435769u * (seed + i + 1) | 1;
            pthread_create(&threads[i], NULL, work, &callers[i]);
        }
        forked(); /* while the threads call */
        for (int i = 0; i < THREADS; ++i)
            pthread_join(threads[i], NULL);
        for (int i = 0; i < HANDLES; ++i)
            sp_close(handles[i]), handles[i] = 0;
        if (round == 0)
            first = resident();
        forked();
    }
    long grown = (resident() - first) * (sysconf(_SC_PAGESIZE) >> 10);
    int ok = 0, all = 0;
    for (int i = 0; i < THREADS; ++i)
        ok += callers[i].ok, all += callers[i].calls;
    printf("%d calls with an answer, %d of them good; the second half grew the process by %ld kB\n", all, ok, grown);
    if (grown > 64 << 10)
        complain("no leak", NULL);
    if (ok < all / 20)
        complain("some calls are good", NULL);
    puts(failures ? "not all well" : "all well");
    return failures != 0;
}
