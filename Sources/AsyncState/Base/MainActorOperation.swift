// SPDX-License-Identifier: MIT
// The way from an operation that is `@MainActor` by its type to one of its caller's actor. The former can be in the
// initial value of a property; the library stores the latter.

/// An operation of the main actor as one of its caller's actor, which the owner has found to be the same.
package func operationOnMainActor<Argument, Result>(
  _ operation: @escaping @MainActor (Argument) async throws -> Result
) -> (Argument) async throws -> Result {
  { argument in
    // Justified: as below.
    nonisolated(unsafe) let argument = argument
    return try await onMainActor(isolation: #isolation) { try await operation(unsafe argument) }
  }
}

/// Calls an operation of the main actor on its caller's actor, which the owner has found to be the same.
func onMainActor<Result>(
  isolation: isolated (any Actor)?, _ operation: @escaping @MainActor () async throws -> Result
) async throws -> Result {
  // Justified: it is used on the main actor only, which the caller is on, too. Noticed: "1.1 … used on another actor stops".
  nonisolated(unsafe) var result: Result?
  let run: @MainActor () async throws -> Void = { unsafe result = try await operation() }
  try await run()
  guard let result = unsafe result else { preconditionFailure("An operation that has not thrown has a result.") }
  return result
}

/// The same for two arguments.
package func operationOnMainActor<First, Second, Result>(
  _ operation: @escaping @MainActor (First, Second) async throws -> Result
) -> (First, Second) async throws -> Result {
  let operation = operationOnMainActor { (arguments: (First, Second)) in try await operation(arguments.0, arguments.1) }
  return { try await operation(($0, $1)) }
}

/// The same for a function that makes a source without waiting. On another actor it stops the process.
func makingOnMainActor<Argument, Result>(
  _ make: @escaping @MainActor (Argument) -> Result
) -> (Argument) -> Result {
  { argument in
    // Justified: both are used here, on the main actor. Noticed: "1.1 … used on another actor stops".
    nonisolated(unsafe) let argument = argument
    nonisolated(unsafe) var result: Result?
    MainActor.assumeIsolated { unsafe result = make(argument) }
    guard let result = unsafe result else { preconditionFailure("What was made is there.") }
    return result
  }
}
