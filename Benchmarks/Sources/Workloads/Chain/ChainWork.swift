// SPDX-License-Identifier: MIT
/// A chain of requests, each made in the callback of the one before. One operation is one link.
public protocol ChainWork: SynchronousWork {
  /// How far the stack reached in the callbacks of the last run.
  var stack: StackExtent { get }
}
