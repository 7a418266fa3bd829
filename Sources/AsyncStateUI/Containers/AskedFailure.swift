// SPDX-License-Identifier: MIT
#if canImport(SwiftUI) || canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import AsyncState

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
    }
    private static var records: [ObjectIdentifier: Record] = [:]

    /// A person requests again: by a button of this module's views, or by a pull.
    static func noteRequest<Value>(of resource: AsyncResource<Value>) {
      let failures = resource.data.failureCount
      records = records.filter { $0.value.data != nil }
      var record = records[ObjectIdentifier(resource.data)] ?? Record(data: resource.data, failures: failures &- 1)
      if record.failures != failures { record.asks &+= 1 }
      record.failures = failures
      records[ObjectIdentifier(resource.data)] = record
    }

    /// Whether a person has requested since the last failure.
    static func isAwaited<Value>(of resource: AsyncResource<Value>) -> Bool {
      guard let record = records[ObjectIdentifier(resource.data)], record.data === resource.data else { return false }
      return record.failures == resource.data.failureCount
    }

    /// The number of the last failure.
    static func number<Value>(of resource: AsyncResource<Value>) -> UInt32 {
      guard let record = records[ObjectIdentifier(resource.data)], record.data === resource.data else { return 0 }
      return record.failures == resource.data.failureCount ? record.asks &- 1 : record.asks
    }
  }
#endif
