import { findFreePort } from '../../lib/http/listen.ts'
import { record } from '../../lib/record.ts'
import { Load } from '../load/load.ts'
import { startService } from '../process/start-service.ts'
import { type Block, type Both, type Name, names, RunningSide, type SampleSettings } from './running-side.ts'

/** Both sides are asked by turns, for this long each time: what disturbs the machine for longer disturbs both. */
const TURN_MS = 50
/** Where cores are busy, turns go on for this many times their duration at most: more blocks tell more than ever longer ones. */
const LONGEST = 2

/** Measures both sides once, in fresh processes that run beside each other. @throws UserError when one does not start */
export async function takeBlock(
  sides: Both<string>,
  order: readonly Name[],
  settings: SampleSettings,
  abort: AbortSignal,
): Promise<Block> {
  const running = new Map<Name, RunningSide>()
  const startOne = async (name: Name) => running.set(name, await start(sides[name], settings, abort))
  try {
    const starts = await Promise.allSettled(order.map(startOne))
    for (const each of starts) if (each.status === 'rejected') throw each.reason
    const inOrder = order.map(name => running.get(name) as RunningSide)
    await takeTurns(inOrder, settings.warmupMs, abort)
    for (const side of inOrder) side.reset()
    await takeTurns(inOrder, settings.forMs, abort)
    return record(names, name => (running.get(name) as RunningSide).sample(settings.acceptErrors))
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
  { readyMs, requests, connections }: SampleSettings,
  abort: AbortSignal,
): Promise<RunningSide> {
  const port = await findFreePort()
  const service = await startService(['sh', '-c', command.replaceAll('{port}', String(port))], {
    port,
    readyMs,
    env: { ...process.env, PORT: String(port) },
    stderr: 'ignore',
    abort,
  })
  // A service may listen on one of 127.0.0.1 and ::1 alone.
  return new RunningSide(service, new Load(`http://localhost:${port}`, requests, connections))
}
