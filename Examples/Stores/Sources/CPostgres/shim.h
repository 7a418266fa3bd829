// SPDX-License-Identifier: MIT
#include <libpq-fe.h>
