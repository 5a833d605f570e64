// SPDX-License-Identifier: BSD-3-Clause
/*
 * The functions of superpoint.h. Each calls its Go function (exports.go), except in
 * the child of a fork: Go's threads do not exist there, and a call of Go could wait
 * for one of them for ever. So the check is in C.
 */
#include "superpoint.h"
#include "_cgo_export.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef _WIN32 /* has no fork */
#define SP_EXPORT __declspec(dllexport)

static int in_forked_child(char **error)
{
    (void)error;
    return 0;
}
#else
#include <unistd.h>
#define SP_EXPORT

static pid_t loader_pid; /* the process that loaded the library */

__attribute__((constructor)) static void remember_loader(void) { loader_pid = getpid(); }

/* Returns 1 and sets *error if this process is a fork of the one that loaded the library. */
static int in_forked_child(char **error)
{
    enum { ROOM = 200 };
    pid_t self = getpid();
    if (self == loader_pid)
        return 0;
    if (error && (*error = malloc(ROOM)))
        snprintf(*error, ROOM,
                 "process %ld is a fork of %ld, which loaded the library; load it in the child instead, or let the "
                 "child exec first",
                 (long)self, (long)loader_pid);
    return 1;
}
#endif

SP_EXPORT int32_t sp_abi_version(void) { return SP_ABI_VERSION; }

SP_EXPORT void sp_free(char *text) { free(text); }

SP_EXPORT void sp_close(uint64_t handle)
{
    if (!in_forked_child(NULL))
        goClose(handle);
}

SP_EXPORT void sp_cancel(const sp_host *host)
{
    if (host && !in_forked_child(NULL))
        goCancel((sp_host *)host);
}

SP_EXPORT uint64_t sp_open(int32_t count, const char *const *options, const sp_host *host, char **error)
{
    return in_forked_child(error) ? 0 : goOpen(count, (char **)options, (sp_host *)host, error);
}

SP_EXPORT char *sp_describe(uint64_t handle, const char *available, const sp_host *host, char **error)
{
    return in_forked_child(error) ? NULL : goDescribe(handle, (char *)available, (sp_host *)host, error);
}

SP_EXPORT int32_t sp_segment(uint64_t handle, const sp_cloud *cloud, const sp_host *host, char **error)
{
    return in_forked_child(error) ? 0 : goSegment(handle, (sp_cloud *)cloud, (sp_host *)host, error);
}

SP_EXPORT int32_t sp_output(uint64_t handle, const char *name, double *values, uint64_t count, char **error)
{
    return in_forked_child(error) ? 0 : goOutput(handle, (char *)name, values, count, error);
}

SP_EXPORT char *sp_metadata(uint64_t handle, char **error)
{
    return in_forked_child(error) ? NULL : goMetadata(handle, error);
}

SP_EXPORT int32_t sp_command(int32_t count, const char *const *arguments, const sp_host *host, char **printed,
                             char **error)
{
    return in_forked_child(error) ? 0 : goCommand(count, (char **)arguments, (sp_host *)host, printed, error);
}
