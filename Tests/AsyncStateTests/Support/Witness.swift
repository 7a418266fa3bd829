// SPDX-License-Identifier: MIT
/// What a closure of the user's holds.
final class Witness {}
