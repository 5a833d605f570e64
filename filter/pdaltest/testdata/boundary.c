// SPDX-License-Identifier: BSD-3-Clause
/*
 * A small host of superpoint.h: boundary FOLDER
 *
 * Segments a cloud that it makes, misuses the library in every way superpoint.h describes, and runs
 * two commands that write files to FOLDER. Ends with "all well" and 0.
 */
#include <superpoint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures, messages;
static _Thread_local int of_host; /* whether this thread is the host's */

static void expect(int truth, const char *what)
{
    printf("%s: %s\n", truth ? "ok" : "NOT SO", what);
    failures += !truth;
}

/* A call has failed with a text that has the word in it. */
static void failed(int ok, char **error, const char *word)
{
    expect(!ok && *error && strstr(*error, word), *error ? *error : word);
    sp_free(*error);
    *error = NULL;
}

/* A step of 5 m in rough ground. */
enum { SIDE = 120, POINTS = SIDE * SIDE };

static void make_cloud(sp_column *columns)
{
    static double axis[3][POINTS];
    uint32_t state = 1;

    for (int i = 0; i < POINTS; ++i) {
        double *at[] = {&axis[0][i], &axis[1][i], &axis[2][i]};
        double place[] = {0.25 * (i % SIDE), 0.25 * (i / SIDE), i % SIDE > SIDE / 2 ? 5 : 0};
        for (int a = 0; a < 3; ++a) {
            state = 1664525 * state + 1013904223; /* Knuth and Lewis */
            *at[a] = place[a] + 0.1 * (state >> 8) / (1 << 24);
        }
    }
    for (int a = 0; a < 3; ++a) columns[a].values = axis[a], columns[a].count = POINTS;
}

static sp_column column[] = {{.name = "X"}, {.name = "Y"}, {.name = "Z"}, {.name = "SuperpointID"}};
static sp_cloud cloud = {.columns = 3, .column = column, .reference.wkt = "LOCAL_CS[\"metres\",UNIT[\"metre\",1]]"};
static sp_cloud known; /* has ids too, for the commands */
static int steps;

static void on_progress(void *context, const char *step, double fraction)
{
    (void)context, (void)step;
    steps += fraction >= 0 && fraction <= 1;
    failures += !of_host;
}

static void on_release(void *context, const char *name)
{
    sp_column *columns = context;

    for (int a = 0; a < 3; ++a)
        if (strcmp(name, columns[a].name) == 0)
            memset((double *)columns[a].values, 0xff, columns[a].count * sizeof(double)); /* not numbers */
    failures += !of_host;
}

static void on_log(void *context, int32_t level, const char *text)
{
    (void)context, (void)level, (void)text;
    ++messages;
    failures += !of_host;
}

static void on_progress_cancel(void *context, const char *step, double fraction)
{
    (void)step, (void)fraction;
    sp_cancel(context);
}

static const char *on_read(void *context, const char *path, const char *dimensions, const sp_cloud **read)
{
    (void)context, (void)dimensions;
    if (strcmp(path, "cloud"))
        return "no such file here";
    *read = &known;
    return NULL;
}

/* Wrong handles, options and arguments. */
static void misuse(const sp_host *host)
{
    char *error = NULL;
    const char *wrong[] = {"knn=-3", "knn=20", NULL}, *nothing[] = {"knn"}, *none[] = {NULL};

    sp_free(NULL);
    sp_close(0);
    sp_close(12345);
    failed(sp_open(1, NULL, host, &error) != 0, &error, "null pointer");
    failed(sp_open(-1, wrong, host, &error) != 0, &error, "-1 options");
    failed(sp_open(1, wrong, host, &error) != 0, &error, "knn");
    failed(sp_open(2, wrong, host, &error) != 0, &error, "twice");
    failed(sp_open(3, wrong, host, &error) != 0, &error, "number 2 is a null pointer");
    failed(sp_open(1, nothing, NULL, &error) != 0, &error, "NAME=VALUE");
    expect(sp_open(1, wrong, NULL, NULL) == 0, "errors need not be wanted");
    failed(sp_describe(99, "X,Y,Z", host, &error) != NULL, &error, "handle 99");
    failed(sp_segment(99, NULL, host, &error), &error, "handle 99");
    failed(sp_metadata(99, &error) != NULL, &error, "handle 99");
    failed(sp_command(-1, NULL, host, NULL, &error), &error, "-1 arguments");
    failed(sp_command(1, none, host, NULL, &error), &error, "arguments: number 0");
    sp_cancel(NULL);
}

/* Clouds that are none: a handle has no result after them. */
static void wrong_clouds(uint64_t handle, const sp_host *host)
{
    static const char *const names[] = {"X", "Y", "Z", "Red"};
    static double x[1000], y[1000], z[1000];
    char *error = NULL, words[100];
    sp_column columns[] = {{"X", x, 1000}, {"Y", y, 1000}, {"Z", z, 1000}, {"Red", NULL, 1000}};
    sp_cloud bad = {0};

    failed(sp_segment(handle, NULL, host, &error), &error, "null pointer");
    failed(sp_segment(handle, &bad, host, &error), &error, "null pointer");
    bad.column = columns;
    bad.columns = 2;
    failed(sp_segment(handle, &bad, host, &error), &error, "2 columns");
    bad.columns = UINT32_MAX;
    failed(sp_segment(handle, &bad, host, &error), &error, "columns");
    bad.columns = 4;
    failed(sp_segment(handle, &bad, host, &error), &error, "column Red is a null pointer");
    columns[3].values = x, columns[3].name = NULL;
    failed(sp_segment(handle, &bad, host, &error), &error, "name");
    columns[3].name = "Red";
    for (int k = 1; k < 4; ++k) { /* a column that is shorter or longer than X */
        for (uint64_t count = 999; count <= 1001; count += 2) {
            snprintf(words, sizeof words, "column %s has %llu values, X has 1000", names[k], (unsigned long long)count);
            columns[k].count = count;
            failed(sp_segment(handle, &bad, host, &error), &error, words);
        }
        columns[k].count = 1000;
    }
    for (int k = 0; k < 4; ++k) columns[k].count = UINT64_MAX; /* a negative number of points */
    failed(sp_segment(handle, &bad, host, &error), &error, "points");
    for (int k = 0; k < 4; ++k) columns[k].count = 1000;
    columns[1].name = "Z";
    failed(sp_segment(handle, &bad, host, &error), &error, "X, Y and Z come first");
    columns[1].name = "Y";
    columns[0].values = NULL;
    failed(sp_segment(handle, &bad, host, &error), &error, "column X is a null pointer");
    columns[0].values = x;
    x[7] = 1e300;
    failed(sp_segment(handle, &bad, host, &error), &error, "point 7");
    failed(sp_output(handle, "SuperpointID", x, 1000, &error), &error, "sp_segment first");
}

int main(int argc, char **argv)
{
    char *error = NULL, *text = NULL, path[1000];
    sp_host host = {.log = on_log, .progress = on_progress, .read = on_read};
    const char *size[] = {"target_size=100"};
    const char *missing[] = {"model=H\xc3\xbcgel \xe6\x9d\xb1.model"};

    setvbuf(stdout, NULL, _IONBF, 0);
    if (argc < 2)
        return 2;
    expect(sp_abi_version() == SP_ABI_VERSION, "version of superpoint.h");
    of_host = 1;
    misuse(&host);
    failed(sp_open(1, missing, &host, &error) != 0, &error, "\xe6\x9d\xb1");

    const uint32_t count = POINTS;
    make_cloud(column);
    uint64_t handle = sp_open(1, size, &host, &error);
    expect(handle != 0, "sp_open");
    text = sp_describe(handle, "X,Y,Z", &host, &error);
    expect(text && strstr(text, "output SuperpointID uint32"), "sp_describe");
    sp_free(text);
    wrong_clouds(handle, &host);
    sp_host leaving = {.context = &leaving, .progress = on_progress_cancel};
    failed(sp_segment(handle, &cloud, &leaving, &error), &error, "interrupted");
    expect(sp_segment(handle, &cloud, &host, &error), error ? error : "sp_segment");
    sp_cancel(&leaving); /* nothing is under way */
    wrong_clouds(handle, &host);
    expect(sp_segment(handle, &cloud, &host, &error), error ? error : "sp_segment again");
    expect(steps > 0, "progress");

    double *ids = malloc(count * sizeof(double)), *embedding = malloc(count * sizeof(double));
    failed(sp_output(handle, "SuperpointID", ids, count - 1, &error), &error, "values");
    failed(sp_output(handle, "SuperpointID", NULL, count, &error), &error, "null pointer");
    failed(sp_output(handle, NULL, ids, count, &error), &error, "null pointer");
    failed(sp_output(handle, "Nothing", ids, count, &error), &error, "Nothing");
    expect(sp_output(handle, "SuperpointID", ids, count, &error), "ids");
    for (uint32_t i = 0; i < count; ++i) failures += !(ids[i] >= 1 && ids[i] == (uint32_t)ids[i]);
    expect(sp_output(handle, "Embedding0", embedding, count, &error), "embedding");
    text = sp_metadata(handle, &error);
    char *line = text ? strstr(text, "superpoints ") : NULL;
    expect(line != NULL, "sp_metadata");
    snprintf(path, sizeof path, "\npoints %llu\n", 2 * (unsigned long long)count); /* segmented twice */
    expect(text && strstr(text, path), "sp_metadata counts the points");
    printf("%llu points, %.12s%d\n", (unsigned long long)count, line ? line : "", line ? atoi(line + 12) : 0);
    sp_free(text);

    double *again = malloc(count * sizeof(double));
    sp_host releasing = {.context = column, .release = on_release};
    expect(sp_segment(handle, &cloud, &releasing, &error), error ? error : "sp_segment with release");
    for (int a = 0; a < 3; ++a) expect(isnan(column[a].values[0]), "a released column");
    make_cloud(column);
    expect(sp_output(handle, "Embedding0", again, count, &error), "embedding");
    expect(memcmp(again, embedding, count * sizeof(double)) == 0, "released coordinates are not read");
    free(again);
    sp_close(handle);
    failed(sp_segment(handle, &cloud, &host, &error), &error, "not open");

    /* The commands write files by names of any letters. */
    column[3].values = ids, column[3].count = count;
    known = cloud;
    known.columns = 4, known.available = "X,Y,Z,SuperpointID";
    snprintf(path, sizeof path, "%s/H\xc3\xbcgel \xe6\x9d\xb1\xe4\xba\xac.csv", argv[1]);
    const char *table[] = {"table", "cloud", path};
    expect(sp_command(3, table, &host, NULL, &error), error ? error : path);
    snprintf(path, sizeof path, "%s/H\xc3\xbcgel \xe6\x9d\xb1\xe4\xba\xac.geojson", argv[1]);
    const char *outline[] = {"outline", "cloud", path};
    expect(sp_command(3, outline, &host, NULL, &error), error ? error : path);
    const char *other[] = {"table", "other", path};
    failed(sp_command(3, other, &host, NULL, &error), &error, "csv");
    const char *version[] = {"version"};
    expect(sp_command(1, version, &host, &text, &error) && text && !strncmp(text, "superpoint ", 11),
           "a command's text");
    sp_free(text);

    puts(failures ? "not all well" : "all well");
    return failures != 0;
}
