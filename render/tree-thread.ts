import { readThreadId } from '../lib/os/core-time.ts'
import { lowerPriority } from '../lib/os/lower-priority.ts'
import { receiveSetup } from '../lib/threads/thread-setup.ts'
import { attributeWork, presentOwner } from './attribute-work.ts'
import { loadApp } from './load-app.ts'
import { OpenTree } from './open-tree.ts'
import { TreeMaker } from './tree-maker.ts'
import type { OrdersMessage, TreeThreadData, TreeThreadMessage } from './tree-protocol.ts'

/** A render thread for the pages of an app. */
const { data, port } = await receiveSetup<TreeThreadData>()
attributeWork()
const module = await loadApp(data.app, data.appOptions)
const pages = new TreeMaker({
  ...data,
  module,
  send: chunks =>
    tell(
      { kind: 'chunks', chunks },
      chunks.flatMap(({ html }) => html?.buffer ?? []),
    ),
})
process.on('uncaughtExceptionMonitor', () => {
  const page = presentOwner()
  if (page instanceof OpenTree) Atomics.store(data.culprit, 0, page.id)
})
// The priority is lowered after loading, for the reason given in workers/thread.ts.
lowerPriority(data.priority)

function tell(message: TreeThreadMessage, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer)
}

port.on('message', ({ kind, orders }: OrdersMessage) => {
  if (kind !== 'orders') throw new TypeError(`unknown message ${JSON.stringify(kind)}`)
  pages.obey(orders)
})
const { load, around, repeatable = false } = module
tell({
  kind: 'ready',
  osThreadId: readThreadId(),
  readsRequest: load !== undefined || around !== undefined,
  repeatable,
})
