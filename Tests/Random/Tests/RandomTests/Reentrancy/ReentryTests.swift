// SPDX-License-Identifier: MIT
import Testing

extension AllTests {
  /// Each method inside each callback, and any methods inside any callbacks.
  @MainActor
  struct ReentryTests {
    @Test("1.4, 1.9, 5.16 of a container: no crash, callbacks in pairs, and the last request at rest")
    func container() async { await ContainerRig.checkAll() }

    @Test("1.4, 1.9 of data: no crash, no lost notification, no load left over")
    func data() async { await DataRig.checkAll() }

    @Test("1.4, 1.9, 10.1, 12.3 of a family: no crash, one resource a key, and at rest the store has what is confirmed")
    func family() async { await FamilyRig.checkAll() }

    @Test("1.4, 1.9, 7.1 of a graph: no crash, nothing twice, nothing lost, and the last value at rest")
    func graph() async { await GraphRig.checkAll() }

    @Test("1.4, 1.9, 6.2 of a host: no crash, no lost status, and the last one at rest")
    func host() async { await HostRig.checkAll() }

    @Test("1.4, 1.9, 8 of a list: no crash, and displays in pairs")
    func list() async { await ListRig.checkAll() }
  }
}
