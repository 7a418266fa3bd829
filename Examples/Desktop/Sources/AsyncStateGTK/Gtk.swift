// SPDX-License-Identifier: MIT
import CGtk

/// GTK's thread as an actor: the one that runs GLib's main context.
///
/// Whatever touches a widget is isolated to it, and so are the resources, families and hosts that the widgets display:
/// `AsyncResource(isolation: Gtk.shared) { .value { … } }`. GTK runs its main loop in `main`, so the main actor has no loop that
/// would run its tasks: a program on GTK has none.
@globalActor public actor Gtk {
  /// The one thread that GTK runs on.
  public static let shared = Gtk()
  private static let executor = MainContext()

  /// GLib's main context.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

  /// Runs a function on the actor at once, in a callback that GTK calls on its thread; stops the program elsewhere.
  public nonisolated static func assumeIsolated(_ body: @Gtk () -> Void) {
    shared.preconditionIsolated("This is called on another thread than GTK's.")
    // Justified: the function is on the actor, as the line before has checked, and does not outlive the call. A type cannot
    // lose its actor in any other way. Noticed: each test, because every signal of GTK takes this way.
    withoutActuallyEscaping(body) { unsafeBitCast($0, to: (() -> Void).self)() }
  }

  /// Runs an application until its last window is closed. Call it in `main`, on the first thread.
  ///
  /// - Returns: The status to exit with.
  public nonisolated static func run(
    _ id: String, activate: @escaping @Gtk (UnsafeMutablePointer<GtkApplication>) -> Void
  ) -> Int32 {
    // This thread is GTK's from now on.
    g_main_context_acquire(g_main_context_default())
    // Justified: the pointer is used on this thread only. Noticed: it is GTK's, which `assumeIsolated` checks.
    nonisolated(unsafe) let application = gtk_application_new(id, G_APPLICATION_NON_UNIQUE)!
    assumeIsolated { connect(application, "activate") { activate(application) } }
    defer { g_object_unref(application) }
    return g_application_run(application.cast(), 0, nil)
  }
}

/// Runs jobs in GLib's main context, in the order in which they were enqueued.
private final class MainContext: SerialExecutor {
  private final class Job {
    let job: UnownedJob
    let executor: MainContext

    init(_ job: UnownedJob, on executor: MainContext) { (self.job, self.executor) = (job, executor) }
    func run() { job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
  }

  // With the priority of events, which is above that of drawing: a window that is drawn has everything that has arrived.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = Unmanaged.passRetained(Job(UnownedJob(job), on: self))
    g_idle_add_full(
      G_PRIORITY_DEFAULT,
      { job in
        if let job { Unmanaged<Job>.fromOpaque(job).takeUnretainedValue().run() }
        return 0
      }, job.toOpaque(), { job in if let job { Unmanaged<Job>.fromOpaque(job).release() } })
  }

  // What GTK calls is no task, so the runtime does not know where it is.
  func checkIsolated() { precondition(isIsolatingCurrentContext() == true, "This is another thread than GTK's.") }
  func isIsolatingCurrentContext() -> Bool? { g_main_context_is_owner(g_main_context_default()) != 0 }
}
