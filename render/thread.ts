import { lowerPriority } from '../lib/os/process.ts'
import { readThreadId } from '../lib/os/usage.ts'
import { receiveSetup } from '../lib/threads/thread-setup.ts'
import { attributeWork, presentOwner } from './attribute-work.ts'
import { loadApp, loadParts } from './load-app.ts'
import { MadePage } from './made-page.ts'
import { PageMaker } from './page-maker.ts'
import type { CommandsMessage, RenderThreadData, RenderThreadMessage } from './protocol.ts'
import { withQuickEncoder } from './quick-encoder.ts'

/** A render thread for the pages of an app. */
const { data, port } = await receiveSetup<RenderThreadData>()
attributeWork()
const module = await withQuickEncoder(() =>
  data.hasParts ? loadParts(data.app) : loadApp(data.app, data.appOptions),
)
const pages = new PageMaker({
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
  if (page instanceof MadePage) Atomics.store(data.culprit, 0, page.id)
})
// The priority is lowered after loading, for the reason given in workers/thread.ts.
lowerPriority(data.priority)

function tell(message: RenderThreadMessage, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer)
}

port.on('message', ({ kind, commands }: CommandsMessage) => {
  if (kind !== 'commands') throw new TypeError(`unknown message ${JSON.stringify(kind)}`)
  pages.obey(commands)
})
const { load, around, repeatable = false } = module
tell({
  kind: 'ready',
  osThreadId: readThreadId(),
  readsRequest: load !== undefined || around !== undefined,
  repeatable,
})
