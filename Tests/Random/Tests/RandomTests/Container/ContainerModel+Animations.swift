// SPDX-License-Identifier: MIT
@testable import AsyncState

// The animations of the model, and the clock animator's.
extension ContainerModel {
  mutating func animate(_ child: Int, isAppearing: Bool) {
    let hasSay = Mark.hasSay(child)
    if hasSay {
      for call in [Mark.AnimationCall.begin, .time, .wait] { mark(.animation(call, child, isAppearing: isAppearing)) }
    }
    let index = animations.count
    animations.append(Animation(child: child, isAppearing: isAppearing))
    transition!.animations.append(index)
    switch setup.animator {
    case .immediate: finish(index)
    case .held: break
    case .eager: if index % 2 == 0 { finish(index) }
    case .clock:
      let start = now + (hasSay ? max(setup.delays[child], 0) : 0)
      schedule(start, index, isEnd: false)
      // A child without a say in it takes 0.35 s.
      schedule(start + (hasSay ? max(setup.durations[child], 0) : 7), index, isEnd: true)
    }
    // What has ended by the time the animator returns has its turn then.
    while let ended = takeEnd() { end(ended) }
  }

  private mutating func schedule(_ time: Int, _ index: Int, isEnd: Bool) {
    if time <= now {
      if isEnd { finish(index) } else { run(index) }
    } else {
      agenda.append((time, index, isEnd))
    }
  }

  /// How many times the clock animator is still to act at.
  var agendaCount: Int { agenda.count }

  mutating func tick() {
    now += 1
    while let next = agenda.firstIndex(where: { $0.time == now }) {
      let (_, index, isEnd) = agenda.remove(at: next)
      if isEnd { finish(index) } else { run(index) }
    }
  }

  mutating func run(_ index: Int) {
    guard !animations[index].hasRun, !animations[index].isOver else { return }
    takePosition(index)
  }

  private mutating func takePosition(_ index: Int) {
    animations[index].hasRun = true
    let animation = animations[index]
    if Mark.hasSay(animation.child) { mark(.animation(.move, animation.child, isAppearing: animation.isAppearing)) }
  }

  mutating func finish(_ index: Int) {
    run(index)
    // It may have been finished while it was being run.
    guard !animations[index].isOver else { return }
    animations[index].isOver = true
    line.append(.animationEnd(index))
    carryOn()
  }

  // MARK: Releases

  /// The animator releases an animation. That calls nothing; the container notices when it is called, or by the end of the
  /// hand-over, or when its actor is free.
  mutating func release(_ index: Int) {
    animations[index].isReleased = true
    if !animations[index].isOver { released.append(index) }
  }

  mutating func noticeReleases() {
    for index in transition?.animations ?? [] where animations[index].isReleased && !animations[index].isOver {
      line.append(.animationEnd(index))
    }
  }

  /// The actor is free.
  mutating func carryOutReleases() {
    while !released.isEmpty {
      let index = released.removeFirst()
      guard !animations[index].isOver else { continue }
      takeLastPosition(index)
      line.append(.animationEnd(index))
      carryOn()
    }
  }

  private mutating func takeLastPosition(_ index: Int) {
    animations[index].isOver = true
    if !animations[index].hasRun { takePosition(index) }
  }

  // MARK: Ends

  /// The end of an animation has its turn. It is late if the container is about to disappear, or the transition is over.
  mutating func end(_ index: Int) {
    guard appearance == .visible, transition?.animations.contains(index) == true else { return }
    if animations[index].isReleased && !animations[index].isOver { takeLastPosition(index) }
    let animation = animations[index]
    tellEnd(animation.child)
    if animation.isAppearing { arrive(animation.child, true) } else { leave(animation.child, true) }
    if !transition!.isBeginning && transition!.animations.isEmpty { close() }
  }

  /// The child takes up its last position, and no caller waits for the end.
  mutating func cutShort(_ child: Int) {
    guard let index = transition!.animations.first(where: { animations[$0].child == child }) else { return }
    run(index)
    animations[index].isOver = true
  }

  mutating func tellEnd(_ child: Int) {
    guard let index = transition!.animations.first(where: { animations[$0].child == child }) else { return }
    transition!.animations.removeAll { $0 == index }
    if Mark.hasSay(child) { mark(.animation(.end, child, isAppearing: animations[index].isAppearing)) }
  }
}
