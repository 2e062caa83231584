import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { createMarks } from '../../../lib/threads/thread-setup.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { createPageRenderer } from '../../../render/main-thread/index.ts'
import {
  type PageCommand,
  PageState,
  type RenderThreadData,
  type RenderThreadMessage,
} from '../../../render/protocol.ts'
import { expectPoints } from '../point.fixture.ts'
import type { Sent } from './watched-thread.fixture.ts'

const FILE = 'render/made-page.ts'
const STRING_FILE = 'render/render-string.ts'
const parts = new URL('../../../render/main-thread/parts.fixture.ts', import.meta.url)

/** Three lists, or two with a component between them that ends its thread. Each has the slot of its number, from 0. */
function commandsOf(second: 'List' | 'Deadly' = 'List'): PageCommand[] {
  const deadline = monotonicMs() + 60_000
  return ['List', second, 'List'].map((component, id) => ({
    kind: 'render',
    id,
    slot: id,
    call: {
      component,
      url: component,
      method: 'GET',
      rawHeaders: [],
      body: undefined,
      props: { items: ['a', 'b'] },
      late: [],
      nonce: undefined,
      mode: 'string',
      shellDeadline: deadline,
      pageDeadline: deadline,
    },
  }))
}

async function seeHtml() {
  const renderer = await createPageRenderer<Parts>({ parts, threads: 1 })
  try {
    const titles = [1, 2, 3].map(number => renderer.part('Title', { text: String(number) }))
    const seen = await text(await renderer.page(titles)).catch((error: Error) => String(error))
    return seen === '<h1>1</h1><h1>2</h1><h1>3</h1>' ? undefined : `three titles are “${seen.slice(0, 80)}”`
  } catch (error) {
    return String(error)
  } finally {
    await renderer.close()
  }
}

type Parts = typeof import('../../../render/main-thread/parts.fixture.ts')

/** Starts a render thread and sends it the commands in one message. @param until is done with the thread before it is ended */
async function withMessage<Result>(
  commands: readonly PageCommand[],
  until: (port: MessagePort, thread: Worker) => Promise<Result>,
): Promise<{ readonly result: Result; readonly states: Int32Array }> {
  const states = createMarks(commands.length)
  const data: RenderThreadData = {
    app: parts.href,
    hasParts: true,
    appOptions: undefined,
    windowBytes: 2 ** 20,
    priority: 0,
    states,
    crowded: createMarks(1),
    beats: createMarks(1),
    beatMs: 1000,
    culprit: createMarks(1),
  }
  const { port1, port2 } = new MessageChannel()
  const thread = new Worker(join(import.meta.dirname, 'watched-thread.fixture.ts'))
  thread.postMessage({ data, port: port2 }, [port2])
  port1.once('message', () => port1.postMessage({ kind: 'commands', commands }))
  try {
    return { result: await until(port1, thread), states }
  } finally {
    await thread.terminate()
    port1.close()
  }
}

/** Resolves when the thread has told the end of three parts, with the sums of what it sent. */
function waitForEnd(port: MessagePort): Promise<Omit<Sent, 'kind'>> {
  const sum = { parts: 0, transferred: 0, ended: 0 }
  return new Promise(resolve =>
    port.on('message', (message: RenderThreadMessage | Sent) => {
      if (message.kind !== 'sent') return
      for (const name of ['parts', 'transferred', 'ended'] as const) sum[name] += message[name]
      if (sum.ended === 3) resolve(sum)
    }),
  )
}

async function seeTransfer() {
  const { result } = await withMessage(commandsOf(), waitForEnd)
  if (result.parts === 0) return 'the chunks have no HTML'
  const copied = result.parts - result.transferred
  return copied > 0 ? `${copied} of ${result.parts} parts were copied` : undefined
}

async function seeStateOfDeath() {
  const { result, states } = await withMessage(commandsOf('Deadly'), (port, thread) =>
    Promise.race([waitForEnd(port), once(thread, 'exit').then(() => undefined)]),
  )
  if (result) return 'the thread did not end; is the second part rendered at all?'
  const running = [...states.keys()].filter(slot => states[slot] === PageState.runs)
  return running.join() === '1'
    ? undefined
    : `the slots that run are ${running.join() || 'none'}, not 1 alone`
}

expectPoints([
  {
    expects: 'parts that a thread renders are on their page, in their order',
    look: `${STRING_FILE}: \`renderString\` renders the element, writes its HTML, and ends the page`,
    see: seeHtml,
  },
  {
    expects:
      'HTML is transferred: its memory belongs to the main thread afterwards, and nobody copies 90 KB a page',
    look: 'render/thread.ts: the second argument of `tell` lists the buffers that change their owner',
    see: seeTransfer,
  },
  {
    expects: 'when the second of three parts ends its thread, its slot says that it runs, and no other does',
    look: `${FILE}: \`run\` notes a \`PageState\` of render/protocol.ts in shared memory; with it \`lose\` of
render/main-thread/page-job.ts fails this part only, and the next thread makes the others`,
    see: seeStateOfDeath,
  },
])
