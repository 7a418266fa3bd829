// SPDX-License-Identifier: MIT
// Attaching subjects.

public import AsyncState

extension StateJournal {
  /// Records what becomes of data from now on. The first entry says what they are by now.
  ///
  /// - Parameters:
  ///   - data: The subject. It is not kept alive.
  ///   - name: The subject's name in the entries; one that no other subject has.
  ///   - isolation: The actor that the journal and its subjects belong to. It is not kept alive.
  public func attach<Value>(_ data: AsyncData<Value>, name: String, isolation: isolated any Actor = #isolation) {
    attach(data, name, isolation)
  }

  func attach<Value>(_ data: AsyncData<Value>, _ name: String, _ home: any Actor) {
    (data.hook as? JournalProbe)?.retire()
    let probe = DataProbe(self, name, home)
    let (record, undecided) = data.attach(probe)
    probe.begin(record, undecided: undecided)
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

  /// Records what becomes of a mutation from now on: each input that is sent is a load.
  ///
  /// - Parameters:
  ///   - mutation: The subject. It is not kept alive.
  ///   - name: The subject's name in the entries; one that no other subject has.
  ///   - isolation: The actor that the journal and its subjects belong to. It is not kept alive.
  public func attach<Input, Output>(
    _ mutation: AsyncMutation<Input, Output>, name: String, isolation: isolated any Actor = #isolation
  ) {
    attach(mutation.data, name: name, isolation: isolation)
  }

  /// Records what becomes of the requests of an outbox from now on: each input that is sent is a load.
  ///
  /// - Parameters:
  ///   - outbox: The subject. It is not kept alive.
  ///   - name: The subject's name in the entries; one that no other subject has.
  ///   - isolation: The actor that the journal and its subjects belong to. It is not kept alive.
  public func attach<Input, Output>(
    _ outbox: AsyncOutbox<Input, Output>, name: String, isolation: isolated any Actor = #isolation
  ) {
    attach(outbox.data, name: name, isolation: isolation)
  }

  /// Records what is written to an input from now on.
  ///
  /// - Parameters:
  ///   - input: The subject. It is not kept alive.
  ///   - name: The subject's name in the entries; one that no other subject has.
  ///   - isolation: The actor that the journal and its subjects belong to. It is not kept alive.
  public func attach<Value>(_ input: Input<Value>, name: String, isolation: isolated any Actor = #isolation) {
    input.attach { version in InputProbe(JournalProbe(self, name, isolation), version: version) }
  }

  /// Records the transitions of a container and the steps of its children from now on.
  ///
  /// - Parameters:
  ///   - container: The subject. It is not kept alive.
  ///   - name: The subject's name in the entries; one that no other subject has.
  ///   - state: How a state is written; as its description unless it is given.
  ///   - child: How a child is written; as its type unless it is given.
  ///   - isolation: The actor that the journal and its subjects belong to. It is not kept alive.
  public func attach<State>(
    _ container: StateContainer<State>, name: String, state: @escaping (State) -> String = { "\($0)" },
    child: @escaping (any ChildController) -> String = { "\(type(of: $0))" },
    isolation: isolated any Actor = #isolation
  ) {
    container.attach { work in
      ContainerProbe(JournalProbe(self, name, isolation), during: work, stateName: state, childName: child)
    }
  }

  /// Records the statuses of a host and the transitions of its container from now on. Its data is a subject of its
  /// own.
  ///
  /// - Parameters:
  ///   - host: The subject. It is not kept alive.
  ///   - name: The subject's name in the entries; one that no other subject has.
  ///   - child: How a child is written; as its type unless it is given.
  ///   - isolation: The actor that the journal and its subjects belong to. It is not kept alive.
  public func attach<Value>(
    _ host: AsyncHost<Value>, name: String, child: @escaping (any ChildController) -> String = { "\(type(of: $0))" },
    isolation: isolated any Actor = #isolation
  ) {
    let state: (AsyncStatus<Value>) -> String = { [weak host] status in
      // A container always has a state, and a pacer may display nothing of it.
      host?.displaysNothing == true ? "nothing" : "\(status.kind)"
    }
    attach(host.container, name: name, state: state, child: child, isolation: isolation)
  }

  /// Records what becomes of all entries of a family, those of now and those that are added later. Their names are that
  /// of the family with the key: `articles[5]`.
  ///
  /// - Parameters:
  ///   - family: The subject. It is not kept alive.
  ///   - name: The subject's name in the entries; one that no other subject has.
  ///   - isolation: The actor that the journal and its subjects belong to. It is not kept alive.
  public func attach<Key, Value>(
    _ family: AsyncFamily<Key, Value>, name: String, isolation: isolated any Actor = #isolation
  ) {
    family.attach(FamilyProbe(self, name, isolation))
  }

  /// Records which tags a board invalidates from now on.
  ///
  /// - Parameters:
  ///   - board: The subject. It is not kept alive.
  ///   - name: The subject's name in the entries; one that no other subject has.
  ///   - isolation: The actor that the journal and its subjects belong to. It is not kept alive.
  public func attach(_ board: AsyncTagBoard, name: String, isolation: isolated any Actor = #isolation) {
    (board.hook as? BoardProbe)?.retire()
    board.hook = BoardProbe(JournalProbe(self, name, isolation))
  }
}
