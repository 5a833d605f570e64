/*
 * The functions of superpoint.h. Each goes on in Go (exports.go), except in the
 * child of a fork: the threads of Go's runtime do not follow there, and entering
 * it may wait for one of them for ever. So the child is found out here, in C.
 */
#include "superpoint.h"
#include "_cgo_export.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef _WIN32 /* has no fork */
#define SP_EXPORT __declspec(dllexport)

static int refused(char **error)
{
    (void)error;
    return 0;
}
#else
#include <unistd.h>
#define SP_EXPORT

static pid_t born; /* the process that loaded the library */

__attribute__((constructor)) static void remember(void) { born = getpid(); }

/* Whether this process is a fork of that one; the error then says so. */
static int refused(char **error)
{
    enum { ROOM = 200 };
    pid_t self = getpid();
    if (self == born)
        return 0;
    if (error && (*error = malloc(ROOM)))
        snprintf(*error, ROOM,
                 "process %ld is a fork of %ld, which loaded the library; load it in the child instead, or let the "
                 "child exec first",
                 (long)self, (long)born);
    return 1;
}
#endif

SP_EXPORT int32_t sp_abi_version(void) { return SP_ABI_VERSION; }

SP_EXPORT void sp_free(char *text) { free(text); }

SP_EXPORT void sp_close(uint64_t handle)
{
    if (!refused(NULL))
        goClose(handle);
}

SP_EXPORT void sp_cancel(const sp_host *host)
{
    if (host && !refused(NULL))
        goCancel((sp_host *)host);
}

SP_EXPORT uint64_t sp_open(int32_t count, const char *const *options, const sp_host *host, char **error)
{
    return refused(error) ? 0 : goOpen(count, (char **)options, (sp_host *)host, error);
}

SP_EXPORT char *sp_describe(uint64_t handle, const char *available, const sp_host *host, char **error)
{
    return refused(error) ? NULL : goDescribe(handle, (char *)available, (sp_host *)host, error);
}

SP_EXPORT int32_t sp_segment(uint64_t handle, const sp_cloud *cloud, const sp_host *host, char **error)
{
    return refused(error) ? 0 : goSegment(handle, (sp_cloud *)cloud, (sp_host *)host, error);
}

SP_EXPORT int32_t sp_output(uint64_t handle, const char *name, double *values, uint64_t count, char **error)
{
    return refused(error) ? 0 : goOutput(handle, (char *)name, values, count, error);
}

SP_EXPORT char *sp_metadata(uint64_t handle, char **error)
{
    return refused(error) ? NULL : goMetadata(handle, error);
}

SP_EXPORT int32_t sp_command(int32_t count, const char *const *arguments, const sp_host *host, char **printed,
                             char **error)
{
    return refused(error) ? 0 : goCommand(count, (char **)arguments, (sp_host *)host, printed, error);
}
