import { on, once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { createMarks } from '../../../lib/threads/slot-marks.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { createPageRenderer } from '../../../render/main-thread/index.ts'
import type { PartCall, PartThreadData, RenderThreadMessage } from '../../../render/protocol.ts'
import { expectPoints } from '../point.fixture.ts'
import type { Sent } from './watched-thread.fixture.ts'

const FILE = 'render/answer-parts.ts'
const partsFile = join(import.meta.dirname, '../../../render/main-thread/page-renderer.fixture.ts')

/** Three lists, or two with a component between them that ends its thread. */
function callsOf(second: 'List' | 'Deadly' = 'List'): PartCall[] {
  const envelope = { requestId: 'a-request', traceparent: undefined, deadline: monotonicMs() + 60_000 }
  return ['List', second, 'List'].map(name => ({ name, input: { envelope, props: { items: ['a', 'b'] } } }))
}

async function seeHtml() {
  const renderer = await createPageRenderer<Parts>({ parts: pathToFileURL(partsFile), threads: 1 })
  try {
    const parts = [1, 2, 3].map(number => renderer.part('Title', { text: String(number) }))
    const seen = await text(await renderer.page(parts)).catch((error: Error) => String(error))
    return seen === '<h1>1</h1><h1>2</h1><h1>3</h1>' ? undefined : `three titles are “${seen.slice(0, 80)}”`
  } catch (error) {
    return String(error)
  } finally {
    await renderer.close()
  }
}

type Parts = typeof import('../../../render/main-thread/page-renderer.fixture.ts')

/** Starts a render thread and sends it the calls in one message. @param until is done with the thread before it is ended */
async function withMessage<Result>(
  calls: readonly PartCall[],
  until: (thread: Worker) => Promise<Result>,
): Promise<{ readonly result: Result; readonly mark: number }> {
  const started = createMarks(1)
  const workerData: PartThreadData = { partsFile, started, left: createMarks(1), priority: 0 }
  const thread = new Worker(join(import.meta.dirname, 'watched-thread.fixture.ts'), { workerData })
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
  const { result, mark } = await withMessage(callsOf('Deadly'), thread =>
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

expectPoints([
  {
    expects: 'parts that a thread renders are on their page, in their order',
    look: `${FILE}: \`answer\` replies to every call of a message, in their order`,
    see: seeHtml,
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
])
