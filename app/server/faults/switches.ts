import { setTimeout as delay } from 'node:timers/promises'
import type { Breakage } from '../../../lib/processes/protocol.ts'
import { endHang, type Hang, hang, newOver } from '../../../lib/threads/hang.ts'
import { monotonicMs } from '../../../lib/units.ts'
import type { Compute } from '../../concerns/compute/contract.ts'
import type { Logging } from '../../concerns/logging/contract.ts'
import type { Rendering } from '../../concerns/rendering/contract.ts'
import { RequestContext } from '../../context.ts'
import { GRACE_MS } from '../../pages/page-data.ts'
import { FaultRefused, type StackLink } from './stack-link.ts'

/** The parts of the system that faults can break. */
export interface Targets {
  readonly compute: Compute
  readonly rendering: Rendering
  readonly logging: Logging
  readonly stack: StackLink
}

interface Begun {
  /** Ends the fault. It is called once. */
  mend(): void
  /** Resolves when the fault ends by itself. Absent if it always lasts its full time. */
  readonly over?: Promise<unknown>
}

export interface FaultSwitch {
  readonly help: string
  /** @throws FaultRefused when the app lacks something that the fault needs */
  begin(targets: Targets, forMs: number): Begun | Promise<Begun>
}

const KILL_INTERVAL_MS = 1000
const LEAK_INTERVAL_MS = 100
const LEAK_BYTES = 2 * 2 ** 20

export const switches = {
  'kill-worker': {
    help: 'a worker thread or process dies, one a second',
    begin: ({ compute }) => killAgain('compute/threads or compute/processes', compute.operated),
  },
  'stall-worker': { help: 'a worker hangs', begin: hanging('stall', hangWorker) },
  'loop-task': { help: 'the code of a task loops', begin: hanging('loop', hangWorker) },
  'kill-renderer': {
    help: 'a render thread dies, one a second',
    begin: ({ rendering }) => killAgain('rendering/threads', rendering.operated),
  },
  'stall-renderer': { help: 'a render thread hangs', begin: hanging('stall', hangRenderer) },
  'loop-part': { help: 'the code of a page loops', begin: hanging('loop', hangRenderer) },
  'kill-transport': { help: 'logger-transport is dead', begin: breakMember('logger-transport', 'killed') },
  'stall-transport': {
    help: 'logger-transport is stopped (SIGSTOP)',
    begin: breakMember('logger-transport', 'stalled'),
  },
  'kill-agent': { help: 'apm-agent is dead', begin: breakMember('apm-agent', 'killed') },
  'stall-agent': { help: 'apm-agent is stopped (SIGSTOP)', begin: breakMember('apm-agent', 'stalled') },
  'kill-orders': { help: 'the upstream is dead', begin: breakMember('orders', 'killed') },
  'stall-orders': { help: 'the upstream is stopped (SIGSTOP)', begin: breakMember('orders', 'stalled') },
  'slow-orders': {
    help: 'every answer of the upstream takes a second longer',
    begin: breakMember('orders', 'slow'),
  },
  'leak-memory': { help: 'the main thread leaks 20 MiB a second', begin: leak },
  'fill-disk': { help: 'the disk bound of log segments is reached', begin: fillDisk },
} as const satisfies Readonly<Record<string, FaultSwitch>>

export type FaultName = keyof typeof switches
export const faultNames = Object.keys(switches) as FaultName[]

/** Kills again and again. What was killed has to start and gets time to work, or it would do nothing on a slow machine. */
function killAgain(needed: string, target: { kill?(): Promise<void> } | undefined): Begun {
  if (!target?.kill) throw new FaultRefused(`this fault needs ${needed}`)
  let isOver = false
  const killUntilOver = async () => {
    while (!isOver) {
      await target.kill?.()
      await delay(KILL_INTERVAL_MS, undefined, { ref: false })
    }
  }
  void killUntilOver()
  return {
    mend() {
      isOver = true
    },
  }
}

/** Begins a hang, which can be ended early. */
function hanging(
  how: Hang['how'],
  run: (targets: Targets, order: Hang) => Promise<unknown>,
): FaultSwitch['begin'] {
  return (targets, forMs) => {
    const over = newOver()
    return { mend: () => endHang(over), over: run(targets, { how, forMs, over }) }
  }
}

/** If compute runs on the main thread, everything else stops meanwhile, even DELETE. No client sent the request. */
function hangWorker({ compute }: Targets, order: Hang): Promise<unknown> {
  const nobody = new RequestContext('fault', monotonicMs() + order.forMs)
  return compute.run(nobody, { name: 'hang', input: order })
}

/**
 * Keeps a thread that renders from its work, by the prop `hang` of the page with faults. Without render threads it is the
 * main thread. Resolves when that is over.
 * @throws FaultRefused when the page cannot hang
 */
async function hangRenderer({ rendering: { operated } }: Targets, order: Hang): Promise<void> {
  if (!operated) return hang(order)
  if (!operated.stream) throw new FaultRefused('this fault needs rendering/threads, whose page can hang')
  const page = { url: '/hang', props: { hang: order }, shellDeadline: monotonicMs() + order.forMs + GRACE_MS }
  // There is never a page: it fails when the hang is over, or when its thread was killed.
  await operated.stream(page).catch(() => {})
}

function breakMember(member: string, how: Breakage): FaultSwitch['begin'] {
  return async ({ stack }, forMs) => ({ mend: await stack.break(member, how, forMs) })
}

function leak(): Begun {
  const leaked: Buffer[] = []
  const timer = setInterval(() => leaked.push(Buffer.alloc(LEAK_BYTES, 1)), LEAK_INTERVAL_MS)
  return {
    mend() {
      clearInterval(timer)
      leaked.length = 0
    },
  }
}

function fillDisk({ logging }: Targets): Begun {
  const { pretendFull } = logging.sink as { pretendFull?(isFull: boolean): void }
  if (!pretendFull) throw new FaultRefused('this fault needs logging/sidecar, which writes segments')
  pretendFull(true)
  return { mend: () => pretendFull(false) }
}
