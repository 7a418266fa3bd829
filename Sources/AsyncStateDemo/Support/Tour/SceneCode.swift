// SPDX-License-Identifier: MIT
#if os(macOS) || os(Linux)
// Written by Documentation/scenes from the source of the scenes. Two columns before each line are for the mark of a mistake.

enum SceneCode {
  /// The lines that are displayed below what is done by hand, by scene.
  static let byHand = [
    "cancel": #"""
      task?.cancel()
      task = Task {
        state = .loading
        do {
          state = .data(try await load())
        } catch {
    ✗     state = .error(error)
        }
      }
    """#,
    "custom": #"""
      let next = sheets(draft)
      try await animate(to: next)
    ✗ children = next
    """#,
    "empty": #"""
      task?.cancel()
      task = Task {
        state = .loading
        do {
    ✗     state = .data(try await load())
        } catch {
          state = .error(error)
        }
      }
    """#,
    "flicker": #"""
      task?.cancel()
      task = Task {
    ✗   state = .loading
        do {
          state = .data(try await load())
        } catch {
          state = .error(error)
        }
      }
    """#,
    "like": #"""
      let former = cities
      cities[city] = true
      do {
        try await send(city)
      } catch {
    ✗   cities = former
      }
    """#,
    "offline": #"""
      task?.cancel()
      task = Task {
        state = .loading
        do {
          state = .data(try await load())
        } catch {
    ✗     state = .error(error)
        }
      }
    """#,
    "race": #"""
      task?.cancel()
      task = Task {
        state = .loading
        do {
    ✗     state = .data(try await load())
        } catch {
          state = .error(error)
        }
      }
    """#,
    "refresh": #"""
      task?.cancel()
      task = Task {
    ✗   state = .loading
        do {
          state = .data(try await load())
        } catch {
    ✗     state = .error(error)
        }
      }
    """#,
    "retry": #"""
      task?.cancel()
      task = Task {
        state = .loading
        do {
          state = .data(try await load())
        } catch {
    ✗     state = .error(error)
        }
      }
    """#,
    "stream": #"""
      task?.cancel()
      task = Task {
        state = .loading
        do {
    ✗     state = .data(try await load())
        } catch {
          state = .error(error)
        }
      }
    """#,
  ]

  /// The lines that use the library, by scene.
  static let library = [
    "cancel": #"""
      let note = AsyncResource {
        try await fetch()
      }
      let screen = { note.status() }
      await note.load()
      note.reload()
      note.cancel()
    """#,
    "custom": #"""
      let letter = StateContainer(
        initialState: Draft.editing,
        animator: animator, children: sheets)
      letter.setNeedsTransition(
        to: draft, animated: true)
    """#,
    "empty": #"""
      let inbox = AsyncResource {
        try await fetch()
      }
      let screen = {
        inbox.status(
          policy: .emptyIsNoData())
      }
      await inbox.load()
      await inbox.reload().outcome()
    """#,
    "flicker": #"""
      let price = AsyncResource {
        try await answer()
      }
      let paced = PacedStatus(
        price,
        pacer: DisplayPacer(clock: clock))
      let screen = { paced.status }
      price.reload()
    """#,
    "like": #"""
      await cities.mutate {
        $0[city] = true
      } commit: {
        try await send(city)
      }
    """#,
    "offline": #"""
      let online = LoadGate()
      let news = AsyncResource(
        options: LoadOptions(
          clock: clock, gate: online)
      ) { try await fetch() }
      let screen = { news.status() }
      online.open()
    """#,
    "race": #"""
      let text = Input<String?>(nil)
      let list = AsyncResource(
        following: text
      ) { try await search($0) }
      let screen = { list.status() }
      list.start()
      text.write(typed)
    """#,
    "refresh": #"""
      let inbox = AsyncResource {
        try await fetch()
      }
      let screen = { inbox.status() }
      let banner = { inbox.error }
      await inbox.load()
      await inbox.load()
    """#,
    "retry": #"""
      let text = AsyncResource(
        options: LoadOptions(
          retry: .exponential(
            first: .milliseconds(100),
            retries: 4, jitter: { $0 }),
          clock: clock)
      ) { try await fetch() }
      let screen = { text.status() }
    """#,
    "stream": #"""
      let poem = AsyncResource(
        .value { load in
          for part in [0.25, 0.5, 0.75, 1] {
            try await load.yield(read(part))
            load.report(progress: part)
          }
          return load.current
        })
      let screen = { poem.status() }
    """#,
  ]
}
#endif
