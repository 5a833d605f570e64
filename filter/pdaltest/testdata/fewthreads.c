// SPDX-License-Identifier: BSD-3-Clause
/* Preloaded: allows at most THREADS threads of the process at a time, and fails beyond
 * as the kernel does under a limit. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int running;

typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

struct start {
    void *(*body)(void *);
    void *argument;
};

static void *counted(void *p)
{
    struct start s = *(struct start *)p;
    free(p);
    void *result = s.body(s.argument);
    atomic_fetch_sub(&running, 1);
    return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument)
{
    static create *next;
    if (!next)
        next = (create *)dlsym(RTLD_NEXT, "pthread_create");
    const char *most = getenv("THREADS");
    if (atomic_fetch_add(&running, 1) >= (most ? atoi(most) : 0)) {
        atomic_fetch_sub(&running, 1);
        return EAGAIN;
    }
    struct start *s = malloc(sizeof(*s));
    s->body = body;
    s->argument = argument;
    int status = next(thread, attributes, counted, s);
    if (status)
        atomic_fetch_sub(&running, 1);
    return status;
}
