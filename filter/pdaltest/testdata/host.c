/* A host in C that misuses the library in every way superpoint.h speaks of. */
#include <superpoint.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
static pthread_t main_thread;

static void expect(int truth, const char *what)
{
    if (!truth) {
        printf("not so: %s\n", what);
        ++failures;
    }
}

/* A call has failed with a text that says word. */
static void failed(int ok, char **error, const char *word)
{
    expect(!ok, word);
    expect(*error && strstr(*error, word), word);
    if (*error && !strstr(*error, word))
        printf("  it says: %s\n", *error);
    sp_free(*error);
    *error = NULL;
}

static void on_log(void *context, int32_t level, const char *text)
{
    expect(pthread_equal(pthread_self(), main_thread), "log comes on the host's thread");
    ++*(int *)context;
}

static void on_progress(void *context, const char *step, double fraction)
{
    expect(pthread_equal(pthread_self(), main_thread), "progress comes on the host's thread");
    expect(fraction >= 0 && fraction <= 1, "progress lies in [0, 1]");
}

/* Cancels the call that it is called from. */
static void on_progress_cancel(void *context, const char *step, double fraction)
{
    sp_cancel(context);
}

int main(void)
{
    char *error = NULL;
    int messages = 0;
    sp_host host = { &messages, on_log, on_progress, NULL };
    main_thread = pthread_self();

    expect(sp_abi_version() == SP_ABI_VERSION, "ABI version");
    sp_free(NULL);
    sp_close(0);
    sp_close(12345);

    const char *wrong[] = { "knn=-3", "knn=20", NULL }, *nothing[] = { "knn" };
    failed(sp_open(1, NULL, &host, &error) != 0, &error, "null pointer");
    failed(sp_open(-1, wrong, &host, &error) != 0, &error, "-1 options");
    failed(sp_open(1, wrong, &host, &error) != 0, &error, "knn");
    failed(sp_open(2, wrong, &host, &error) != 0, &error, "twice");
    failed(sp_open(3, wrong, &host, &error) != 0, &error, "number 2 is a null pointer");
    failed(sp_open(1, nothing, NULL, &error) != 0, &error, "NAME=VALUE");
    expect(sp_open(1, wrong, NULL, NULL) == 0, "errors need not be wanted");
    failed(sp_describe(99, "X,Y,Z", &host, &error) != NULL, &error, "handle 99");
    failed(sp_segment(99, NULL, &host, &error), &error, "handle 99");
    failed(sp_metadata(99, &error) != NULL, &error, "handle 99");
    failed(sp_command(-1, NULL, &host, NULL, &error), &error, "-1 arguments");
    const char *none[] = { NULL };
    failed(sp_command(1, none, &host, NULL, &error), &error, "arguments: number 0");
    const char *version[] = { "version" };
    char *printed = NULL;
    expect(sp_command(1, version, &host, &printed, &error), "a command that prints");
    expect(printed && strncmp(printed, "superpoint ", 11) == 0, "a command's text comes back");
    sp_free(printed);
    const char *info[] = { "info", "file.laz" };
    failed(sp_command(2, info, &host, NULL, &error), &error, "file.laz");

    const char *geometric[] = { "model=geometric" };
    uint64_t handle = sp_open(1, geometric, &host, &error);
    expect(handle != 0, "sp_open");
    char *text = sp_describe(handle, "X,Y,Z", &host, &error);
    expect(text && strstr(text, "output SuperpointID uint32\n"), "sp_describe names the ids");
    expect(text && strstr(text, "output Embedding0 float\n"), "sp_describe names the embedding");
    sp_free(text);

    double values[1000], x[1000], y[1000], z[1000];
    failed(sp_output(handle, "SuperpointID", values, 1000, &error), &error, "sp_segment first");
    failed(sp_segment(handle, NULL, &host, &error), &error, "null pointer");
    sp_cloud cloud = { 0 };
    failed(sp_segment(handle, &cloud, &host, &error), &error, "null pointer");
    sp_column column[] = { { "X", x, 1000 }, { "Y", y, 1000 }, { "Z", z, 1000 }, { "Red", NULL, 1000 } };
    cloud.column = column;
    cloud.columns = 2;
    failed(sp_segment(handle, &cloud, &host, &error), &error, "2 columns");
    cloud.columns = UINT32_MAX;
    failed(sp_segment(handle, &cloud, &host, &error), &error, "columns");
    cloud.columns = 4;
    failed(sp_segment(handle, &cloud, &host, &error), &error, "column Red is a null pointer");
    column[3].values = x, column[3].name = NULL;
    failed(sp_segment(handle, &cloud, &host, &error), &error, "name");
    for (int k = 1; k < 4; ++k) { /* a column that is shorter or longer than X */
        static const char *const names[] = { "X", "Y", "Z", "Red" };
        char words[100];
        column[3].name = "Red";
        for (uint64_t count = 999; count <= 1001; count += 2) {
            snprintf(words, sizeof words, "column %s has %llu values, X has 1000", names[k], (unsigned long long)count);
            column[k].count = count;
            failed(sp_segment(handle, &cloud, &host, &error), &error, words);
        }
        column[k].count = 1000;
    }
    for (int k = 0; k < 4; ++k)
        column[k].count = UINT64_MAX; /* a negative number of points */
    failed(sp_segment(handle, &cloud, &host, &error), &error, "points");
    for (int k = 0; k < 4; ++k)
        column[k].count = 1000;
    column[1].name = "Z";
    failed(sp_segment(handle, &cloud, &host, &error), &error, "X, Y and Z come first");
    column[1].name = "Y";
    column[0].values = NULL;
    failed(sp_segment(handle, &cloud, &host, &error), &error, "column X is a null pointer");
    column[0].values = x;
    cloud.columns = 3;
    for (int i = 0; i < 1000; ++i) {
        x[i] = i % 32;
        y[i] = i / 32;
        z[i] = i % 32 < 16 ? 0 : 5;
    }
    x[7] = NAN;
    failed(sp_segment(handle, &cloud, &host, &error), &error, "point 7");
    x[7] = 7;
    sp_host leaving = { &leaving, NULL, on_progress_cancel, NULL };
    failed(sp_segment(handle, &cloud, &leaving, &error), &error, "interrupted");
    sp_cancel(&leaving); /* nothing is under way */
    sp_cancel(NULL);
    expect(sp_segment(handle, &cloud, &host, &error), "sp_segment");
    expect(messages > 0, "there is a message about the missing spatial reference");
    failed(sp_output(handle, "SuperpointID", values, 999, &error), &error, "999");
    failed(sp_output(handle, "SuperpointID", NULL, 1000, &error), &error, "null pointer");
    failed(sp_output(handle, NULL, values, 1000, &error), &error, "null pointer");
    failed(sp_output(handle, "Nothing", values, 1000, &error), &error, "Nothing");
    expect(sp_output(handle, "SuperpointID", values, 1000, &error), "sp_output");
    for (int i = 0; i < 1000; ++i)
        expect(values[i] >= 1 && values[i] == floor(values[i]), "ids are whole numbers from 1");
    text = sp_metadata(handle, &error);
    expect(text && strstr(text, "\npoints 1000\n"), "sp_metadata counts the points");
    sp_free(text);
    sp_close(handle);
    failed(sp_segment(handle, &cloud, &host, &error), &error, "not open");

    puts(failures ? "not all well" : "all well");
    return failures != 0;
}
