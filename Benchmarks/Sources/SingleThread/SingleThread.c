// SPDX-License-Identifier: MIT
// On several threads it is chance who comes first, and with it how many instructions waiting takes. The Swift runtime has a
// hook for programs that run jobs another way; here they stand in one line.

#include "SingleThread.h"

#include <stddef.h>
#include <stdlib.h>

#define SWIFT_CALL __attribute__((swiftcall))

// From the runtime's own headers, which are not installed. An executor is two words, and both are null for "on no actor".
typedef SWIFT_CALL void (*EnqueueJob)(void *job);
extern SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(void *job, EnqueueJob original);
extern SWIFT_CALL void swift_job_run(void *job, void *executorIdentity, void *executorImplementation);

// A ring. It grows by doubling and never shrinks, so that in the steady state nothing is allocated here.
static void **ring;
static size_t capacity;
static size_t first;
static size_t count;

static void grow(void) {
  size_t larger = capacity == 0 ? 1024 : 2 * capacity;
  void **moved = malloc(larger * sizeof(void *));
  if (moved == NULL) abort();
  for (size_t index = 0; index < count; index++) moved[index] = ring[(first + index) % capacity];
  free(ring);
  ring = moved;
  capacity = larger;
  first = 0;
}

static SWIFT_CALL void enqueue(void *job, EnqueueJob original) {
  (void)original;
  if (count == capacity) grow();
  ring[(first + count) % capacity] = job;
  count++;
}

void singleThreadBegin(void) { swift_task_enqueueGlobal_hook = enqueue; }

void singleThreadRun(void) {
  while (count > 0) {
    void *job = ring[first];
    first = (first + 1) % capacity;
    count--;
    swift_job_run(job, NULL, NULL);
  }
}
