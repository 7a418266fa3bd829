// Attaching subjects.

extension StateJournal {
  /// Records what becomes of data from now on. The first entry says what they are by now.
  ///
  /// - Parameters:
  ///   - data: The subject. It is not kept alive.
  ///   - name: The subject's name in the entries; one that no other subject has.
  ///   - isolation: The actor that the journal and its subjects belong to. It is not kept alive.
  public func attach<Value>(_ data: AsyncData<Value>, name: String, isolation: isolated any Actor = #isolation) {
    let extras = data.requiredExtras
    (extras.hook as? JournalProbe)?.retire()
    let probe = DataProbe(self, name, isolation)
    extras.hook = probe
    probe.begin(data.state.core.record, undecided: extras.patches?.undecidedNumbers ?? [])
  }

  /// Records what becomes of a resource's data from now on.
  ///
  /// - Parameters:
  ///   - resource: The subject. It is not kept alive.
  ///   - name: The subject's name in the entries; one that no other subject has.
  ///   - isolation: The actor that the journal and its subjects belong to. It is not kept alive.
  public func attach<Value>(
    _ resource: AsyncResource<Value>, name: String, isolation: isolated any Actor = #isolation
  ) {
    attach(resource.data, name: name, isolation: isolation)
  }
}
