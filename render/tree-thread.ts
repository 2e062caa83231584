import { readThreadId } from '../lib/os/core-time.ts'
import { lowerPriority } from '../lib/os/lower-priority.ts'
import { receiveSetup } from '../lib/threads/thread-setup.ts'
import type { AppModule } from './app-module.ts'
import { attributeWork } from './attribute-work.ts'
import { loadReact } from './load-react.ts'
import { TreeMaker } from './tree-maker.ts'
import type { OrdersMessage, TreeThreadData, TreeThreadMessage } from './tree-protocol.ts'

/** A render thread for the pages of an app. */
const { data, port } = await receiveSetup<TreeThreadData>()
attributeWork()
const app: AppModule<object> = await import(data.app)
await app.setup?.(data.appOptions as never)
const pages = new TreeMaker({
  ...data,
  module: { ...app, react: app.react ?? (await loadReact()) },
  send: chunks =>
    tell(
      { kind: 'chunks', chunks },
      chunks.flatMap(({ html }) => html?.buffer ?? []),
    ),
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
tell({ kind: 'ready', osThreadId: readThreadId(), hasLoad: app.load !== undefined })
