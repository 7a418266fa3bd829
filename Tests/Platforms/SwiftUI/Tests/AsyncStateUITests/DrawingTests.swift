// SPDX-License-Identifier: MIT
import Observation
import SwiftUI
import Testing

/// The stand-in draws when SwiftUI does: what tests that run on Apple's frameworks say of it.
@MainActor
@Suite(.serialized)
struct DrawingTests {
  @Observable
  final class Model {
    var count = 0
    var other = 0
    var size = DynamicTypeSize.large
  }

  struct Child: View {
    let name: String
    var body: some View { Text(name) }
  }
  struct Reader: View {
    let name: String
    @Environment(\.dynamicTypeSize) var size
    var body: some View { Text("\(name) \(size.isAccessibilitySize)") }
  }
  struct Field: View {
    @Binding var text: String
    var body: some View { Text(text) }
  }
  struct Caller: View {
    let action: () -> Void
    var body: some View { Text("caller") }
  }

  @Test("a child with equal inputs is not drawn with its parent, one with others is, and a closure is another one")
  func equalInputs() {
    struct Parent: View {
      let model: Model
      var body: some View {
        Text("\(model.count)")
        Child(name: "same")
        VStack { Reader(name: "\(model.count)") }
        Caller { model.count += 1 }
      }
    }
    let model = Model()
    let host = ViewHost { Parent(model: model) }
    for count in 1...3 {
      model.count = count
      host.draw()
    }
    #expect(host.texts == ["3", "same", "3 false", "caller"])
    #expect(["Parent", "Child", "Reader", "Caller"].map(host.redraws(of:)) == [4, 1, 4, 4])
  }

  @Test("another value of the environment draws what reads it, also below equal inputs, and an equal one nothing")
  func environment() {
    struct Middle: View {
      var body: some View {
        Reader(name: "reads")
        Child(name: "does not")
      }
    }
    struct Root: View {
      let model: Model
      var body: some View {
        Text("\(model.other)")
        Middle().environment(\.dynamicTypeSize, model.size)
      }
    }
    let model = Model()
    let host = ViewHost { Root(model: model) }
    model.other = 1
    host.draw()
    #expect(["Root", "Middle", "Reader", "Child"].map(host.redraws(of:)) == [2, 1, 1, 1])
    model.size = .accessibility1
    host.draw()
    #expect(["Root", "Middle", "Reader", "Child"].map(host.redraws(of:)) == [3, 1, 2, 1])
    #expect(host.texts == ["1", "reads true", "does not"])
  }

  @Test("a child of equal inputs is drawn for what it reads itself, and one with a binding for another value")
  func ownChanges() {
    struct Parent: View {
      let model: Model
      @State var text = "a"
      var body: some View {
        Text("\(model.count)")
        Field(text: $text)
        Button("write") { text = "b" }
      }
    }
    let model = Model()
    let host = ViewHost { Parent(model: model) }
    model.count = 1
    host.draw()
    #expect(host.redraws(of: "Field") == 1)
    _ = host.press("write")
    #expect(host.texts == ["1", "b", "write"] && host.redraws(of: "Field") == 2)
  }

  @Test("a write before withAnimation and one inside are two updates, and each draws its own value")
  func updates() {
    struct Counter: View {
      let drawn: (Int) -> Void
      @State var count = 0
      var body: some View {
        let _ = drawn(count)
        Text("\(count)").animation(.easeInOut, value: count)
        Button("write") {
          count = 2
          withAnimation { count = 4 }
        }
        Button("around") {
          count = 5
          withAnimation {
            count = 6
            count = 7
          }
          count = 8
        }
      }
    }
    var drawn: [Int] = []
    let host = ViewHost { Counter { drawn.append($0) } }
    _ = host.press("write")
    #expect(drawn == [0, 2, 4])
    _ = host.press("around")
    #expect(drawn == [0, 2, 4, 5, 7, 8] && host.texts.first == "8")
  }

  @Test("onChange gives the former and the new value, at first the same one twice")
  func onChange() {
    struct Watcher: View {
      let model: Model
      let note: (String) -> Void
      var body: some View {
        Text("\(model.count)")
          .onChange(of: model.count, initial: true) { old, new in note("\(old)-\(new)") }
          .onChange(of: model.count) { note("changed") }
      }
    }
    let model = Model()
    var notes: [String] = []
    let host = ViewHost { Watcher(model: model) { notes.append($0) } }
    model.count = 3
    host.draw()
    model.other = 1
    host.draw()
    #expect(notes == ["0-0", "0-3", "changed"])
  }
}
