// SPDX-License-Identifier: MIT
#ifndef HEAP_COUNTER_H
#define HEAP_COUNTER_H

#include <stdbool.h>

/// What the heap has seen while it was counted, on all threads.
struct HeapReading {
  /// Blocks that were asked for, a `realloc` being one.
  long allocations;
  /// Bytes that were handed out and not given back, by what the blocks really hold. Less than zero where more was given
  /// back than was handed out.
  long liveBytes;
  /// The most that `liveBytes` ever was.
  long peakBytes;
  /// Blocks that were handed out and not given back. Bytes may differ where blocks do not: the allocator hands out 16 more
  /// where it finds a block that is too large to be used as it is, and too small to be divided.
  long liveBlocks;
};

/// Whether the heap can be counted here.
bool heapCounterIsAvailable(void);

/// What all live blocks hold, counted or not, by the allocator's own books.
long heapBytesInUse(void);

/// Sets everything to zero and counts from here on.
void heapCounterStart(void);

/// Counts no longer. An allocation that is not counted costs one comparison more than without this library.
struct HeapReading heapCounterStop(void);

/// What was counted so far.
struct HeapReading heapCounterRead(void);

#endif
