// SPDX-License-Identifier: MIT
/// Gives an operation of an ``AsyncMutation`` the input that it sends, and takes its reports.
///
/// ```swift
/// let upload = AsyncMutation { (photo: Photo, request: MutationReporter) in
///   try await service.upload(photo, key: request.idempotencyKey) { request.report(progress: $0) }
/// }
/// ```
///
/// It may be used on the mutation's actor as long as the operation runs.
public final class MutationReporter {
  /// A UUID that is the same for all attempts of one input: those of the options, of a retry, and after a restart those
  /// of an outbox. Where equal inputs join, the next equal one has it, too, if the previous ended without an answer: by a
  /// time limit, an interruption or a cancel. A server that remembers the keys that it has seen carries out an input once,
  /// however often it is sent.
  public let idempotencyKey: String

  /// Reports to the request, whatever its output.
  private let reportProgress: (Double?) -> Void

  init(_ key: String, _ reportProgress: @escaping (Double?) -> Void) {
    idempotencyKey = key
    self.reportProgress = reportProgress
  }

  /// Reports the progress of the request, for ``AsyncMutation/status`` and ``AsyncMutation/progress``.
  ///
  /// - Parameter progress: In 0...1; values outside are clamped, and NaN or nil means unknown.
  public func report(progress: Double?) {
    reportProgress(progress)
  }
}
