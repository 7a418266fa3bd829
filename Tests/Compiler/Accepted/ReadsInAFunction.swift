// SPDX-License-Identifier: MIT
import AsyncState

// What a client's compiler inlines may use only what the library exports. It crashed when the first read of data was
// inlined, because that creates an object with a private property.

@MainActor
func reads() {
  let data = AsyncData(seed: 1)
  print(data.value as Any, data.error as Any, data.isRunning, data.isLoading, data.snapshot, data.observed.current)
  let resource = AsyncResource { 1 }
  print(resource.value as Any, resource.snapshot, resource.status)
  let host = AsyncHost(resource, children: { _ in [] })
  print(host.status as Any, host.container.children.count, host.container.isTransitioning)
  let pages = AsyncData<Paged<Int, Int>>()
  print(pages.snapshot.nextPage, pages.value?.items as Any)
}
