// SPDX-License-Identifier: MIT
@testable import AsyncState

// The transitions of the model, its life cycle, and what becomes of the children.
extension ContainerModel {
  // MARK: Transitions

  mutating func begin(_ request: Request) {
    enter(request.state, request.animated, request.waiter)
    let next = ask(request.state)
    let leavers = cast.filter { !next.contains($0) }
    let comers = next.filter { !cast.contains($0) }
    transition!.leavers = leavers
    transition!.comers = comers
    if appearance == .gone {
      for child in leavers { mark(.attach(.willDetach, child)) }
      for child in comers { mark(.attach(.willAttach, child)) }
      arrange(next, under: leavers)
      for child in comers { mark(.attach(.didAttach, child)) }
      for child in leavers { vanish(child) }
      return close()
    }
    for child in leavers {
      mark(.attach(.willDetach, child))
      will(.willDisappear, child, request.animated)
    }
    for child in comers {
      mark(.attach(.willAttach, child))
      will(.willAppear, child, request.animated)
    }
    arrange(next, under: leavers)
    if request.animated {
      transition!.isBeginning = true
      for child in comers { animate(child, isAppearing: true) }
      for child in leavers { animate(child, isAppearing: false) }
      noticeReleases()
      while let ended = takeEnd() { end(ended) }
      transition!.isBeginning = false
      if transition!.animations.isEmpty { close() }
    } else {
      for child in comers { arrive(child, false) }
      for child in leavers { leave(child, false) }
      close()
    }
  }

  private mutating func enter(_ next: Int, _ animated: Bool, _ waiter: Int?) {
    transition = Transition(left: state, animated: animated, waiter: waiter)
    mark(.will(next, animated))
    state = next
  }

  private mutating func ask(_ state: Int) -> [Int] {
    mark(.children(state))
    var once: [Int] = []
    for child in setup.cast[state] where !once.contains(child) { once.append(child) }
    return once
  }

  mutating func close() {
    let over = transition!
    transition = nil
    mark(.did(over.left, over.animated))
    settle(over.waiter, .finished)
  }

  // MARK: Life cycle

  mutating func carryOut(_ call: LifecycleCall, _ animated: Bool) {
    let former = appearance
    appearance = Self.appearance(after: call, from: former)!
    switch call {
    case .willAppear:
      if former == .disappearing {
        endLeaving(animated)
        for child in cast { will(.willAppear, child, animated) }
      } else if setup.keepsState && state != nil {
        for child in cast { will(.willAppear, child, animated) }
      } else {
        appear(animated)
      }
    case .didAppear:
      for child in cast {
        let isComing = transition?.comers.contains(child) == true
        if isComing { arrive(child, animated) } else { did(.didAppear, child, animated) }
      }
      if transition != nil { close() }
    case .willDisappear:
      for child in cast {
        if transition?.comers.contains(child) == true {
          cutShort(child)
          tellEnd(child)
          arrive(child, animated)
        } else if former == .appearing {
          did(.didAppear, child, animated)
        }
      }
      for child in transition?.leavers ?? [] { cutShort(child) }
      for child in cast { will(.willDisappear, child, animated) }
    case .didDisappear:
      endLeaving(animated, beforeDid: cast)
    }
  }

  /// The outgoing children have disappeared, and with the last of them their transition is over.
  private mutating func endLeaving(_ animated: Bool, beforeDid others: [Int] = []) {
    for child in transition?.leavers ?? [] {
      tellEnd(child)
      leave(child, animated)
    }
    for child in others { did(.didDisappear, child, animated) }
    if transition != nil { close() }
  }

  private mutating func appear(_ animated: Bool) {
    let isFirst = state == nil
    if !setup.keepsState { mark(.initialState) }
    let next = setup.keepsState ? 0 : initialState
    enter(next, animated, nil)
    let list = ask(next)
    let leavers = cast.filter { !list.contains($0) }
    let comers = list.filter { !cast.contains($0) }
    for child in leavers { mark(.attach(.willDetach, child)) }
    for child in leavers { vanish(child) }
    if comers.isEmpty && !isFirst {
      arrange(list, under: [])
      close()
      for child in list { will(.willAppear, child, animated) }
    } else {
      transition!.comers = comers
      for child in list {
        if comers.contains(child) { mark(.attach(.willAttach, child)) }
        will(.willAppear, child, animated)
      }
      arrange(list, under: [])
    }
  }

  // MARK: Children

  mutating func arrive(_ child: Int, _ animated: Bool) {
    transition!.comers.removeAll { $0 == child }
    did(.didAppear, child, animated)
    mark(.attach(.didAttach, child))
  }

  /// A child leaves in the sight of all: off the surface, disappeared, detached.
  mutating func leave(_ child: Int, _ animated: Bool) {
    takeOff(child)
    did(.didDisappear, child, animated)
    mark(.attach(.didDetach, child))
  }

  /// A child leaves that was not visible.
  private mutating func vanish(_ child: Int) {
    takeOff(child)
    mark(.attach(.didDetach, child))
  }

  private mutating func takeOff(_ child: Int) {
    transition!.leavers.removeAll { $0 == child }
    surface.removeAll { $0 == child }
    mark(.arranged(surface))
  }

  private mutating func arrange(_ next: [Int], under leavers: [Int]) {
    let isNews = next + leavers != surface
    cast = next
    surface = next + leavers
    if isNews { mark(.arranged(surface)) }
  }

  private mutating func will(_ call: LifecycleCall, _ child: Int, _ animated: Bool) {
    mark(.delegateAppear(call, child, animated))
    mark(.appear(call, child, animated))
  }

  private mutating func did(_ call: LifecycleCall, _ child: Int, _ animated: Bool) {
    mark(.appear(call, child, animated))
    mark(.delegateAppear(call, child, animated))
  }
}
