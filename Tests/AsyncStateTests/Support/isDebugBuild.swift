// SPDX-License-Identifier: MIT
/// Messages about mistakes are of debug builds.
#if DEBUG
  let isDebugBuild = true
#else
  let isDebugBuild = false
#endif
