import { findFreePort } from '../../lib/http/listen.ts'
import { watchMachine } from '../../loadtest/sample/machine.ts'
import { findNoise } from '../../loadtest/sample/noise.ts'
import { Load } from '../load/load.ts'
import { locate } from '../load/locate.ts'
import { startService } from '../process/start-service.ts'
import type { Block, Both, Name, SampleSettings } from './running-side.ts'
import { RunningSide } from './running-side.ts'

/** Both sides are asked by turns, for this long each time: what disturbs the machine for longer disturbs both. */
const TURN_MS = 50
/** Where cores are busy, turns go on for this many times their duration at most: more blocks tell more than ever longer ones. */
const LONGEST = 2

/**
 * Measures both sides once, in fresh processes that run beside each other.
 * @param order the side that begins comes first
 * @param isApart whether one side has ended before the other starts, as services need that share a port of their own
 * @throws UserError when a side does not start
 */
export async function takeBlock(
  sides: Both<string>,
  order: readonly Name[],
  settings: SampleSettings,
  isApart: boolean,
  abort: AbortSignal,
): Promise<Block> {
  const groups = isApart ? order.map(name => [name]) : [order]
  const samples: Partial<Block> = {}
  for (const group of groups) Object.assign(samples, await measure(sides, group, settings, abort))
  return samples as Block
}

/** Measures some sides beside each other. */
async function measure(
  sides: Both<string>,
  names: readonly Name[],
  settings: SampleSettings,
  abort: AbortSignal,
): Promise<Partial<Block>> {
  const running = new Map<Name, RunningSide>()
  const startOne = async (name: Name) => running.set(name, await start(sides[name], settings, abort))
  try {
    const starts = await Promise.allSettled(names.map(startOne))
    for (const each of starts) if (each.status === 'rejected') throw each.reason
    const inOrder = names.map(name => running.get(name) as RunningSide)
    await takeTurns(inOrder, settings.warmupMs, abort)
    const readMachine = watchMachine(inOrder.map(({ pid }) => pid))
    for (const side of inOrder) side.reset()
    await takeTurns(inOrder, settings.forMs, abort)
    // What disturbs both sides alike, by turns, is no reason to refuse them.
    const noise = running.size > 1 ? null : findNoise(readMachine())
    return Object.fromEntries(
      [...running].map(([name, side]) => [name, side.sample(settings.acceptErrors, noise)]),
    )
  } finally {
    await Promise.all([...running.values()].map(side => side.stop()))
  }
}

/**
 * Loads each side for this long, by turns. Time in which it waited for a core does not count: with few requests, V8 has not
 * optimized the code, and one process is optimized sooner than another.
 */
export async function takeTurns(
  sides: readonly Pick<RunningSide, 'turn'>[],
  eachMs: number,
  abort: AbortSignal,
): Promise<void> {
  const endMs = performance.now() + LONGEST * sides.length * eachMs
  const order = sides.map(side => ({ side, leftMs: eachMs }))
  while (order.some(({ leftMs }) => leftMs >= TURN_MS / 2) && performance.now() < endMs) {
    for (const each of order) each.leftMs -= await each.side.turn(Math.min(TURN_MS, eachMs), abort)
    order.reverse()
  }
}

async function start(
  command: string,
  { readyMs, requests, http2: isHttp2, ...options }: SampleSettings,
  abort: AbortSignal,
): Promise<RunningSide> {
  const port = await findFreePort()
  const service = await startService(['sh', '-c', command.replaceAll('{port}', String(port))], {
    port,
    readyMs,
    env: { ...process.env, PORT: String(port) },
    abort,
  })
  const origin = locate(new URL(`http://127.0.0.1:${port}`), service.address, false)
  return new RunningSide(service, new Load({ origin, isHttp2 }, requests, options))
}
