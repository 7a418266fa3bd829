#if os(macOS) || os(Linux)
// Written by Documentation/scenes from the source of the scenes.

enum SceneCode {
  /// The lines that are displayed beside the boxes, by scene.
  static let lines: [String: [String]] = [
    "cancel": [
      #"let resource = AsyncResource {"#,
      #"  try await note()"#,
      #"}"#,
      #"stage.box("AsyncState") { resource.status() }"#,
      #"await resource.load()"#,
      #"resource.reload()"#,
      #"resource.cancel()"#,
    ],
    "custom": [
      #"switch draft {"#,
      #"case .editing: [editor]"#,
      #"case .saving: [editor, shade]"#,
      #"case .saved: [receipt]"#,
      #"}"#,
      #"_ = await letter.transition(to: next, animated: true)"#,
    ],
    "files": [
      #"let folder = Input<FilePath?>(stage.folder)"#,
      #"let entries = AsyncResource(following: folder) {"#,
      #"  try await open($0)"#,
      #"}"#,
      #"stage.box("folder") {"#,
      #"  entries.status(policy: .emptyIsNoData())"#,
      #"}"#,
      #"await entries.load()"#,
    ],
    "flicker": [
      #"let pacer = DisplayPacer("#,
      #"  delay: .milliseconds(150),"#,
      #"  minimum: .milliseconds(400), clock: clock)"#,
      #"let price = AsyncResource { try await answer() }"#,
      #"let paced = PacedStatus(price, pacer: pacer)"#,
      #"stage.box("AsyncState") { paced.status }"#,
    ],
    "like": [
      #"func like(_ city: String) async {"#,
      #"  await cities.mutate {"#,
      #"    $0[city] = true"#,
      #"  } commit: {"#,
      #"    try await send(city)"#,
      #"  }"#,
      #"}"#,
    ],
    "race": [
      #"let text = Input<String?>(nil)"#,
      #"let results = AsyncResource(following: text) {"#,
      #"  try await search($0)"#,
      #"}"#,
      #"results.start()"#,
      #"stage.box("AsyncState") { results.status() }"#,
    ],
    "refresh": [
      #"let inbox = AsyncResource { try await fetch() }"#,
      #"stage.box("inbox", beside: { inbox.error }) {"#,
      #"  inbox.status(policy: policy)"#,
      #"}"#,
      #"await inbox.load()"#,
      #"await inbox.load(.refresh)"#,
    ],
    "retry": [
      #"let report = AsyncResource("#,
      #"  clock: clock,"#,
      #"  retry: .exponential("#,
      #"    first: .milliseconds(100), retries: 4)"#,
      #") {"#,
      #"  try await fetch()"#,
      #"}"#,
      #"let load = report.start()"#,
    ],
    "stream": [
      #"let poem = AsyncResource { reporter in"#,
      #"  for index in 1...4 {"#,
      #"    let lines = try await pages(upTo: index)"#,
      #"    try reporter.yield(lines)"#,
      #"    reporter.report(progress: Double(index) / 4)"#,
      #"  }"#,
      #"  return reporter.current"#,
      #"}"#,
    ],
    "such": [
      #"let text = AsyncResource {"#,
      #"  try await fetch()"#,
      #"}"#,
      #"stage.box("screen") { text.status() }"#,
      #"await text.load()"#,
      #"await text.reload().outcome()"#,
    ],
  ]
}
#endif
