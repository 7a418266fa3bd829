/// What a closure of the user's holds.
final class Witness {}
