// SPDX-License-Identifier: MIT

/// The tables of ``PostgresStore`` and ``TagBridge``.
public enum StoreTables {
  /// Makes the tables, unless they are there.
  public static func prepare(_ database: PostgresDatabase) async throws {
    try await database.transaction([
      // Two processes may begin at once.
      Statement("SELECT pg_advisory_xact_lock(7265)"),
      Statement(
        """
        CREATE TABLE IF NOT EXISTS stored_value (
          family text NOT NULL, key text NOT NULL, value text, answered_at timestamptz,
          is_invalidated boolean NOT NULL, tags text[] NOT NULL, PRIMARY KEY (family, key))
        """),
      Statement("CREATE INDEX IF NOT EXISTS stored_value_tags ON stored_value USING gin (tags)"),
      Statement("CREATE TABLE IF NOT EXISTS invalidated_tag (tag text PRIMARY KEY, at timestamptz NOT NULL)"),
    ])
  }

  /// A change, and the marks of all rows that depend on it. A tag is remembered for an hour, for requests that are on
  /// their way.
  static func invalidating(_ tags: [SharedTag], by statements: [Statement]) -> [Statement] {
    let names = array(tags.map(\.text))
    return [locking(tags, isShared: false)] + statements + [
      Statement("UPDATE stored_value SET is_invalidated = true WHERE tags && $1::text[]", names),
      Statement(
        """
        INSERT INTO invalidated_tag SELECT tag, clock_timestamp() FROM unnest($1::text[]) tag
        ON CONFLICT (tag) DO UPDATE SET at = excluded.at
        """, names),
      Statement("DELETE FROM invalidated_tag WHERE at < clock_timestamp() - interval '1 hour'"),
    ]
  }

  /// A row is stored before a change of its tags is made, and marked by that, or after it, and then it is looked whether it
  /// was made. Sorted, so that two changes cannot wait for one another.
  static func locking(_ tags: [SharedTag], isShared: Bool) -> Statement {
    Statement(
      """
      SELECT pg_advisory_xact_lock\(isShared ? "_shared" : "")(number)
      FROM (SELECT DISTINCT hashtextextended(tag, 1) AS number FROM unnest($1::text[]) tag ORDER BY number) AS numbers
      """, array(tags.map(\.text)))
  }
}

/// An array in PostgreSQL's own spelling.
func array(_ texts: [String]) -> String {
  let elements = texts.map { text in
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
  return "{" + elements.joined(separator: ",") + "}"
}

func interval(_ duration: Duration) -> String { "\(duration / .seconds(1)) seconds" }
