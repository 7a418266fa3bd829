// SPDX-License-Identifier: MIT
#if canImport(SwiftUI) || canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState
  import Observation

  /// Numbers the failures of data by the requests of a person: those that follow one another without such a request, as those
  /// of a poll, are one failure. It is read once, and a banner that was closed stays closed.
  @MainActor
  enum AskedFailure {
    private struct Record {
      weak var data: AnyObject?
      /// How many requests of a person were followed by a failure, or will be: two before one failure are one.
      var asks: UInt32 = 0
      /// How many failures there were by then.
      var failures: UInt32
      let closed: ClosedBanner

      @MainActor
      init<Value>(of resource: AsyncResource<Value>) {
        data = resource.data
        failures = resource.data.failureCount &- 1
        closed = ClosedBanner(endingWith: resource.observed.map { $0.error == nil })
      }
    }
    private static var records: [ObjectIdentifier: Record] = [:]

    private static func record<Value>(of resource: AsyncResource<Value>) -> Record? {
      records[ObjectIdentifier(resource.data)].flatMap { $0.data === resource.data ? $0 : nil }
    }

    private static func keep<Value>(_ record: Record, of resource: AsyncResource<Value>) {
      records = records.filter { $0.value.data != nil }
      records[ObjectIdentifier(resource.data)] = record
    }

    /// A person requests again: by a button of this module's views, or by a pull.
    static func noteRequest<Value>(of resource: AsyncResource<Value>) {
      let failures = resource.data.failureCount
      var record = record(of: resource) ?? Record(of: resource)
      if record.failures != failures { record.asks &+= 1 }
      record.failures = failures
      keep(record, of: resource)
    }

    /// Whether a person has requested since the last failure.
    static func isAwaited<Value>(of resource: AsyncResource<Value>) -> Bool {
      record(of: resource)?.failures == resource.data.failureCount
    }

    /// The number of the last failure.
    static func number<Value>(of resource: AsyncResource<Value>) -> UInt32 {
      guard let record = record(of: resource) else { return 0 }
      return record.failures == resource.data.failureCount ? record.asks &- 1 : record.asks
    }

    /// What a person has closed of the banners beside this resource, wherever it is displayed.
    static func closedBanner<Value>(of resource: AsyncResource<Value>) -> ClosedBanner {
      if let record = record(of: resource) { return record.closed }
      let record = Record(of: resource)
      keep(record, of: resource)
      return record.closed
    }
  }

  extension FailureID {
    /// That of the last failure of a resource.
    @MainActor
    init<Value>(of resource: AsyncResource<Value>) {
      self.init(source: ObjectIdentifier(resource.data), number: AskedFailure.number(of: resource))
    }
  }

  /// What a person has closed: a banner that says the same stays so until a request has succeeded.
  @MainActor
  @Observable
  final class ClosedBanner {
    private var message: Announcement?
    @ObservationIgnored private var success: Observed<Bool>?
    @ObservationIgnored private var token: ObservedToken?

    nonisolated init() {}

    convenience init(endingWith success: Observed<Bool>) {
      self.init()
      self.success = success
    }

    func hides(_ next: Announcement) -> Bool { next == message }

    func close(_ message: Announcement) {
      self.message = message
      token = success?.observe { [weak self] hasSucceeded in if hasSucceeded { self?.open() } }
    }

    func open() {
      if message != nil { message = nil }
    }
  }
#endif
