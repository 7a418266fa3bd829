// SPDX-License-Identifier: MIT
extension AsyncSnapshot {
  /// The same error and activity with another value.
  ///
  /// - Parameter transform: Makes the other value. Nil becomes "there is nothing"; an error that it throws becomes the error.
  ///   It is called only if there is a value.
  public func mapOrFail<T>(_ transform: (Value) throws -> T?) -> AsyncSnapshot<T> {
    var mapped = AsyncSnapshot<T>(context, nil)
    (mapped.context.activity, mapped.context.pageErrors) = (context.load, nil)
    do {
      mapped.value = try value.flatMap(transform)
    } catch {
      mapped.error = error
    }
    return mapped
  }
}
