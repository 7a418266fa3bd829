#if os(macOS) || os(Linux)
import Foundation

/// One job after another, on the main actor, for the whole process.
///
/// The same seed is to give the same lines. Virtual time settles what happens when; this settles what happens first
/// where several things happen at once, and keeps the clock from moving on while a job is still on its way between two
/// threads.
enum SerialExecution {
  // The runtime lets a process put a hook before its global executor. It is looked up by name, because it is C++ and no
  // module declares it: https://github.com/swiftlang/swift/blob/main/include/swift/Runtime/Concurrency.h
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  /// Sends every job to the main actor from here on. Where the runtime is linked statically there is no hook to be
  /// found; then jobs run in parallel as always, and lines of the same time may change places.
  @MainActor
  static func begin() {
    guard let hook = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook") else { return }
    hook.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in MainActor.shared.enqueue(job) }
  }
}
#endif
