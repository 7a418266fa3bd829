// SPDX-License-Identifier: MIT
// Stands in for the allocator's functions and hands each call on to the real one, which is the next of that name in the
// order in which the dynamic linker looks. That order holds for the whole process, so the runtime's allocations are
// counted with the rest.

#define _GNU_SOURCE

#include "HeapCounter.h"

#include <stdatomic.h>
#include <stddef.h>

static atomic_bool isCounting;
static atomic_long allocations;
static atomic_long liveBytes;
static atomic_long peakBytes;
static atomic_long liveBlocks;

void heapCounterStart(void) {
  atomic_store(&allocations, 0);
  atomic_store(&liveBytes, 0);
  atomic_store(&peakBytes, 0);
  atomic_store(&liveBlocks, 0);
  atomic_store(&isCounting, true);
}

struct HeapReading heapCounterRead(void) {
  return (struct HeapReading){
      atomic_load(&allocations), atomic_load(&liveBytes), atomic_load(&peakBytes), atomic_load(&liveBlocks)};
}

struct HeapReading heapCounterStop(void) {
  atomic_store(&isCounting, false);
  return heapCounterRead();
}

#if defined(__linux__)

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <string.h>

bool heapCounterIsAvailable(void) { return true; }

long heapBytesInUse(void) {
  struct mallinfo2 info = mallinfo2();
  return (long)(info.uordblks + info.hblkhd);
}

static void *(*realMalloc)(size_t);
static void *(*realCalloc)(size_t, size_t);
static void *(*realRealloc)(void *, size_t);
static int (*realPosixMemalign)(void **, size_t, size_t);
static void *(*realAlignedAlloc)(size_t, size_t);
static void (*realFree)(void *);

// MARK: Counting

static bool counts(void) { return __builtin_expect(atomic_load_explicit(&isCounting, memory_order_relaxed), false); }

static void addBytes(long bytes) {
  long now = atomic_fetch_add_explicit(&liveBytes, bytes, memory_order_relaxed) + bytes;
  long peak = atomic_load_explicit(&peakBytes, memory_order_relaxed);
  while (now > peak && !atomic_compare_exchange_weak(&peakBytes, &peak, now)) {
  }
}

static void *handedOut(void *block) {
  if (counts() && block != NULL) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&liveBlocks, 1, memory_order_relaxed);
    addBytes((long)malloc_usable_size(block));
  }
  return block;
}

static void givenBack(void *block) {
  if (!counts() || block == NULL) return;
  atomic_fetch_sub_explicit(&liveBlocks, 1, memory_order_relaxed);
  addBytes(-(long)malloc_usable_size(block));
}

// MARK: Finding the real functions

// `dlsym` may itself allocate. What it asks for comes out of here and is never given back.
static _Alignas(max_align_t) char early[4096];
static size_t earlyUsed;

static void *earlyAllocation(size_t size) {
  size_t start = (earlyUsed + sizeof(max_align_t) - 1) & ~(sizeof(max_align_t) - 1);
  if (size > sizeof(early) - start) return NULL;
  earlyUsed = start + size;
  return early + start;
}

static bool isEarly(void *block) { return (char *)block >= early && (char *)block < early + sizeof(early); }

// The first allocation of a process comes before any second thread.
static bool findReal(void) {
  static bool isFinding;
  if (isFinding) return false;
  isFinding = true;
  realFree = dlsym(RTLD_NEXT, "free");
  realCalloc = dlsym(RTLD_NEXT, "calloc");
  realRealloc = dlsym(RTLD_NEXT, "realloc");
  realPosixMemalign = dlsym(RTLD_NEXT, "posix_memalign");
  realAlignedAlloc = dlsym(RTLD_NEXT, "aligned_alloc");
  // Last: that it is there says that all are.
  realMalloc = dlsym(RTLD_NEXT, "malloc");
  isFinding = false;
  return true;
}

static bool hasReal(void) { return __builtin_expect(realMalloc != NULL, true) || findReal(); }

// MARK: Standing in

void *malloc(size_t size) { return hasReal() ? handedOut(realMalloc(size)) : earlyAllocation(size); }

void *calloc(size_t count, size_t size) {
  // Static memory is zero already.
  return hasReal() ? handedOut(realCalloc(count, size)) : earlyAllocation(count * size);
}

void *realloc(void *block, size_t size) {
  if (!hasReal()) return earlyAllocation(size);
  if (isEarly(block)) {
    void *moved = malloc(size);
    size_t available = (size_t)(early + sizeof(early) - (char *)block);
    return moved == NULL ? NULL : memcpy(moved, block, size < available ? size : available);
  }
  size_t former = counts() && block != NULL ? malloc_usable_size(block) : 0;
  void *moved = realRealloc(block, size);
  if (moved != NULL && block != NULL && counts()) {
    atomic_fetch_sub_explicit(&liveBlocks, 1, memory_order_relaxed);
    addBytes(-(long)former);
  }
  return handedOut(moved);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (!hasReal()) return ENOMEM;
  int result = realPosixMemalign(block, alignment, size);
  if (result == 0) handedOut(*block);
  return result;
}

void *aligned_alloc(size_t alignment, size_t size) {
  return hasReal() ? handedOut(realAlignedAlloc(alignment, size)) : NULL;
}

void free(void *block) {
  if (block == NULL || isEarly(block) || !hasReal()) return;
  givenBack(block);
  realFree(block);
}

#else

// Elsewhere a program's own functions do not stand in for those that the system's libraries call.
bool heapCounterIsAvailable(void) { return false; }

long heapBytesInUse(void) { return 0; }

#endif
