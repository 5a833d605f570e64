// SPDX-License-Identifier: BSD-3-Clause
//go:build cgo && (amd64 || arm64)

// Runs the CUDA kernels on the CPU: blocks one after the other, the threads of a block as
// coroutines that are switched at barriers. A barrier that not all threads reach is an
// error. Blocks, and threads between barriers, run in random order, so that results that
// depend on the order differ from run to run. Coroutines begin by setcontext and continue
// by longjmp, which needs no system call; AddressSanitizer (go test -asan) is notified of
// every change of stacks.
#undef _FORTIFY_SOURCE // its longjmp refuses to change stacks
#include <setjmp.h>
#include <stdlib.h>
#include <ucontext.h>

#include "../../../partition/gpu/device.h"
#include "emulator.h"

__thread struct emulated emulated;

#include "../../../partition/gpu/scan.cu"
#include "../../../partition/neighbor/nearest.cu"
#include "../../lpe/lpe.cu"

enum { MOST_THREADS = 1024 };

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
enum { STACK = 1 << 17 };
static __thread const void *host_stack;
static __thread size_t host_size;
#define LEAVING(keep, stack, size) __sanitizer_start_switch_fiber(keep, stack, size)
#define ARRIVED(kept, stack, size) __sanitizer_finish_switch_fiber(kept, stack, size)
#else
enum { STACK = 1 << 15 };
#define LEAVING(keep, stack, size) ((void)0)
#define ARRIVED(kept, stack, size) ((void)0)
#endif

struct thread {
    ucontext_t context;
    jmp_buf at;
    char *stack;
    void *fake; // AddressSanitizer's own
    int begun, done;
};

static __thread struct run {
    struct thread *threads;
    jmp_buf scheduler;
    void (*body)(void **);
    void **arguments;
    uint32_t current;
    int met; // a barrier in this pass
    uint64_t seed;
} run;

// shuffle puts the numbers below count in random order (Steele et al. 2014,
// doi:10.1145/2714064.2660195, for the random numbers).
static void shuffle(uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t r = run.seed += 0x9e3779b97f4a7c15;
        r = (r ^ r >> 30) * 0xbf58476d1ce4e5b9;
        r = (r ^ r >> 27) * 0x94d049bb133111eb;
        const uint32_t at = (uint32_t)((r ^ r >> 31) % (i + 1));
        order[i] = order[at];
        order[at] = i;
    }
}

// leave returns control to the scheduler until the thread is resumed.
static void leave(void)
{
    struct thread *self = &run.threads[run.current];
    LEAVING(&self->fake, host_stack, host_size);
    if (!_setjmp(self->at))
        _longjmp(run.scheduler, 1);
    ARRIVED(self->fake, &host_stack, &host_size);
}

void emulated_barrier(void)
{
    run.met = 1;
    leave();
}

// begin is a coroutine: it is a thread of one block after the other.
static void begin(void)
{
    ARRIVED(0, &host_stack, &host_size);
    for (;;) {
        run.body(run.arguments);
        run.threads[run.current].done = 1;
        leave();
    }
}

// resume runs a thread to its next barrier or its end.
static __attribute__((noinline)) void resume(uint32_t t)
{
    struct thread *thread = &run.threads[t];
    run.current = emulated.thread.x = t;
    void *fake = 0;
    (void)fake;
    LEAVING(&fake, thread->stack, STACK);
    if (_setjmp(run.scheduler)) {
        ARRIVED(fake, 0, 0);
        return;
    }
    if (thread->begun)
        _longjmp(thread->at, 1);
    thread->begun = 1;
    setcontext(&thread->context);
}

// prepare makes a coroutine of every thread.
static void prepare(uint32_t size, char *stacks)
{
    for (uint32_t t = 0; t < size; t++) {
        struct thread *thread = &run.threads[t];
        getcontext(&thread->context);
        thread->context.uc_stack.ss_sp = thread->stack = stacks + (size_t)t * STACK;
        thread->context.uc_stack.ss_size = STACK;
        thread->context.uc_link = 0;
        makecontext(&thread->context, begin, 0);
    }
}

// block runs one block and returns 0, or 1 if a barrier divided its threads.
static int block(uint32_t size, uint32_t *order)
{
    for (uint32_t t = 0; t < size; t++) run.threads[t].done = 0;
    for (uint32_t left = size; left > 0;) {
        const uint32_t before = left;
        run.met = 0;
        shuffle(order, size);
        for (uint32_t i = 0; i < size; i++) {
            const uint32_t t = order[i];
            if (run.threads[t].done)
                continue;
            resume(t);
            left -= run.threads[t].done;
        }
        if (run.met && left < before)
            return 1;
    }
    return 0;
}

#define P(i, type) (*(type *)argument[i])
#define BODY(name, ...) \
    static void run_##name(void **argument) { name(__VA_ARGS__); }
#define U32(i) P(i, uint32_t)
#define U64(i) P(i, uint64_t)
#define I32(i) P(i, int32_t)
#define TO(i) P(i, float *)
#define FROM(i) P(i, const float *)
BODY(scan_blocks, P(0, uint32_t *), P(1, uint32_t *), U64(2))
BODY(scan_add, P(0, uint32_t *), P(1, const uint32_t *), U64(2))
BODY(knn_count, P(0, const int32_t *), U32(1), I32(2), U32(3), P(4, uint32_t *), U32(5))
BODY(knn_fill, P(0, const int32_t *), U32(1), I32(2), U32(3), P(4, uint32_t *), U32(5), P(6, uint32_t *))
BODY(knn_search, P(0, const int32_t *), U32(1), I32(2), P(3, const uint32_t *), U32(4), P(5, const uint32_t *),
     P(6, const uint32_t *), U32(7), U32(8), U32(9), P(10, uint32_t *), P(11, uint32_t *), P(12, uint32_t *))
BODY(knn_rows, P(0, const uint32_t *), P(1, const uint32_t *), U64(2), U32(3), P(4, uint32_t *))
BODY(lpe_rows, FROM(0), I32(1), P(2, const struct network *), P(3, const uint8_t *), U32(4), P(5, int16_t *))
BODY(lpe_embed, P(0, const int32_t *), P(1, float), P(2, const uint32_t *), P(3, const int16_t *),
     P(4, const struct inputs *), P(5, const struct network *), P(6, const int32_t *), U32(7), U32(8), I32(9), TO(10))

static const struct {
    const char *name;
    void (*body)(void **);
} kernels[] = {
#define ENTRY(name) {#name, run_##name}
    ENTRY(scan_blocks), ENTRY(scan_add), ENTRY(knn_count), ENTRY(knn_fill),
    ENTRY(knn_search),  ENTRY(knn_rows), ENTRY(lpe_rows),  ENTRY(lpe_embed),
};

int emulator_launch(const char *name, uint32_t blocks, uint32_t threads, uint32_t shared, uint64_t *values, int count,
                    uint64_t seed)
{
    void *arguments[32];
    run.seed = seed;
    if (count > 32)
        return EMULATOR_INVALID;
    for (int i = 0; i < count; i++) arguments[i] = &values[i];
    return emulator_run(name, blocks, threads, shared, arguments);
}

int emulator_run(const char *name, uint32_t blocks, uint32_t threads, uint32_t shared, void **arguments)
{
    void (*body)(void **) = 0;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (!strcmp(kernels[i].name, name))
            body = kernels[i].body;
    if (!body || threads == 0 || threads > MOST_THREADS || shared > 48 << 10)
        return EMULATOR_INVALID;
    struct thread *list = calloc(threads, sizeof *list);
    uint32_t *turns = malloc(blocks * sizeof *turns + 1), order[MOST_THREADS];
    shuffle(turns, blocks);
    char *stacks = malloc((size_t)threads * STACK);
    emulated.shared = aligned_alloc(16, (shared + 31) & ~15u);
    memset(emulated.shared, 0xff, shared); // NaN: shared memory is not cleared
    run.threads = list, run.body = body, run.arguments = arguments;
    emulated.grid.x = blocks, emulated.block_size.x = threads;
    prepare(threads, stacks);
    int failed = 0;
    for (uint32_t b = 0; b < blocks && !failed; b++) {
        emulated.block.x = turns[b];
        failed = block(threads, order);
    }
    free(turns);
    free(emulated.shared);
    free(stacks);
    free(list);
    return failed ? EMULATOR_DIVIDED : 0;
}
