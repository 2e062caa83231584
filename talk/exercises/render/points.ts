import { on, once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Rendering } from '../../../app/concerns/rendering/contract.ts'
import { misbehaving } from '../../../app/concerns/rendering/renderer.fixture.ts'
import { createRendering as createString } from '../../../app/concerns/rendering/string.ts'
import { createRendering as createThreads } from '../../../app/concerns/rendering/threads.ts'
import { RequestContext } from '../../../app/context.ts'
import type { Problem } from '../../../app/problems.ts'
import { createMarks } from '../../../lib/threads/slot-marks.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { selectOrders } from '../../../orders/catalogue.ts'
import { OrderList } from '../../../orders/messages.ts'
import { mediaTypes } from '../../../orders/order.ts'
import type { PageQuery } from '../../../render/page/query.ts'
import type { PageInput, PartCall, RenderThreadMessage } from '../../../render/protocol.ts'
import type { RenderThreadData } from '../../../render/thread-data.ts'
import type { Point } from '../exercise.ts'
import type { Sent } from './watched-thread.ts'

const FILE = 'render/answer-parts.ts'
const ORDERS = 200
const query: PageQuery = { seed: 1, orders: ORDERS, search: '', status: '', sort: 'placed', theme: 'auto' }
const rendererFile = join(import.meta.dirname, '../../../app/concerns/rendering/renderer.fixture.ts')
const data = OrderList.encode({ orders: selectOrders(ORDERS, 'mixed', 1) }).finish()

/** The three parts of a list of orders. @param seed makes the second part misbehave; see `misbehaving` */
function callsOf(seed = 1): PartCall[] {
  const envelope = { requestId: 'a-request', traceparent: undefined, deadline: monotonicMs() + 60_000 }
  const input: PageInput = { envelope, query: { ...query, seed }, data, type: mediaTypes.protobuf }
  return [0, 1, 2].map(index => ({ name: 'orders', index, input }))
}

/** Renders calls at the same time. @returns the HTML of each, or the code of its problem */
const renderAll = (rendering: Rendering, calls: readonly PartCall[]): Promise<string[]> =>
  Promise.all(
    calls.map(call =>
      rendering.render(new RequestContext('a-request', monotonicMs() + 60_000), call).then(
        ({ html }) => new TextDecoder().decode(html),
        ({ code, cause }: Problem) => `${code}: ${String(cause).split('\n')[0]}`,
      ),
    ),
  )

/** Lends a rendering of one thread to `use`, and closes it afterwards. */
async function withThread<Result>(use: (rendering: Rendering) => Promise<Result>): Promise<Result> {
  const rendering = await createThreads({ ...options, rendererFile })
  try {
    return await use(rendering)
  } finally {
    await rendering.close()
  }
}

const options = { threads: 1, workerPriority: 0, workerMemoryMib: 128, partTimeoutMs: 60_000 }

async function seeHtml(rendering: Rendering) {
  const onMainThread = await createString({ ...options, rendererFile })
  const expected = await renderAll(onMainThread, callsOf())
  const seen = await renderAll(rendering, callsOf())
  const at = expected.findIndex((html, index) => seen[index] !== html)
  return at < 0 ? undefined : `part ${at + 1} of ${expected.length} is ${excerpt(seen[at] as string)}`
}

const excerpt = (html: string) => (html.length > 80 ? `“${html.slice(0, 80)}…”` : `“${html}”`)

/** Starts a render thread and sends it the calls in one message. @param until is done with the thread before it is ended */
async function withMessage<Result>(
  calls: readonly PartCall[],
  until: (thread: Worker) => Promise<Result>,
): Promise<{ readonly result: Result; readonly mark: number }> {
  const started = createMarks(1)
  const workerData: RenderThreadData = {
    rendererFile,
    pageData: undefined,
    started,
    awaited: createMarks(1),
    priority: 0,
  }
  const thread = new Worker(join(import.meta.dirname, 'watched-thread.ts'), { workerData })
  thread.once('message', () => thread.postMessage({ kind: 'parts', calls, slot: 0 }))
  try {
    const result = await until(thread)
    return { result, mark: Atomics.load(started, 0) }
  } finally {
    await thread.terminate()
  }
}

const isSent = (message: RenderThreadMessage | Sent): message is Sent => message.kind === 'sent'

/** Resolves when the thread has replied. */
async function waitForReply(thread: Worker): Promise<Sent> {
  for await (const [message] of on(thread, 'message')) if (isSent(message)) return message
  throw new Error('the thread has no messages any more')
}

async function seeTransfer() {
  const { result } = await withMessage(callsOf(), waitForReply)
  if (result.parts === 0) return 'the replies have no HTML'
  const copied = result.parts - result.transferred
  return copied > 0 ? `${copied} of ${result.parts} parts were copied` : undefined
}

async function seeMarkOfDeath() {
  const { result, mark } = await withMessage(callsOf(misbehaving.dies), thread =>
    Promise.race([waitForReply(thread), once(thread, 'exit').then(() => undefined)]),
  )
  if (result) return 'the thread did not end; is the second part rendered at all?'
  return mark === 2
    ? undefined
    : `the mark is ${mark}, and the main thread would blame ${mark ? 'another part' : 'none'}`
}

async function seeMarkOfReply() {
  const { result, mark } = await withMessage(callsOf(), waitForReply)
  if (result.parts === 0) return 'the replies have no HTML'
  return mark === 0
    ? undefined
    : `the mark is ${mark}: if the next message ends the thread, this part is blamed too`
}

export const points: readonly Point[] = [
  {
    expects: 'parts that a thread renders have the same HTML as those of renderToString on the main thread',
    look: `${FILE}: \`answer\` replies to every call of a message, in their order`,
    see: () => withThread(seeHtml),
  },
  {
    expects:
      'HTML is transferred: its memory belongs to the main thread afterwards, and nobody copies 90 KB a page',
    look: `${FILE}: the second argument of \`tell\` lists the buffers that change their owner`,
    see: seeTransfer,
  },
  {
    expects: 'when the second of three parts ends its thread, the mark of the message says 2',
    look: `${FILE}: render/protocol.ts describes the shared memory \`started\`; with it \`#recover\` of
lib/main-thread/work-queue.ts fails this part only, and sends the others to the next thread`,
    see: seeMarkOfDeath,
  },
  {
    expects: 'when all parts of a message are done, its mark is 0 before the reply is sent',
    look: `${FILE}: a thread that ends later must not take these parts with it`,
    see: seeMarkOfReply,
  },
]
