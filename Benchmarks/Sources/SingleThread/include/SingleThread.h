// SPDX-License-Identifier: MIT
#ifndef SINGLE_THREAD_H
#define SINGLE_THREAD_H

/// From here on, what would run on the threads of the Swift runtime waits for `singleThreadRun` instead. To be called before
/// the first task is made.
void singleThreadBegin(void);

/// Runs what waits, in the order in which it came, and what comes of it, until nothing is left.
void singleThreadRun(void);

#endif
