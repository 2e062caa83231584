import { appendFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type MessagePort, resourceLimits, threadId, workerData } from 'node:worker_threads'
import { move } from './index.ts'

/** Tasks that show the options of their pool. */

export const whereAmI = () => ({
  workerData,
  env: process.env.ONLY_HERE,
  argv: process.argv.slice(2),
  execArgv: process.execArgv,
  youngMb: resourceLimits.maxYoungGenerationSizeMb,
})

export const thread = (): number => threadId

/** Adds one to the first count, and waits until the second one is not zero. It blocks its thread. */
export function hold(state: Int32Array<SharedArrayBuffer>): number {
  Atomics.add(state, 0, 1)
  Atomics.notify(state, 0)
  Atomics.wait(state, 1, 0)
  return threadId
}

/** As `hold`, without blocking its thread. */
export async function holdAsync(state: Int32Array<SharedArrayBuffer>): Promise<number> {
  Atomics.add(state, 0, 1)
  Atomics.notify(state, 0)
  await Atomics.waitAsync(state, 1, 0).value
  return threadId
}

export const close = (): (() => void) => () => {}

export const wait = (ms: number): Promise<void> => delay(ms)

export const never = (): Promise<never> => new Promise(() => setInterval(() => {}, 1000))

export async function loopLater(): Promise<never> {
  await delay(1)
  for (;;);
}

export const sizeOf = (bytes: ArrayBuffer): number => bytes.byteLength

export function answer(port: MessagePort): void {
  port.postMessage('an answer')
  port.close()
}

export const giveAway = (sizeBytes: number): Uint8Array => move(new Uint8Array(sizeBytes).fill(7))

const kept = new Uint8Array(8)
/** Gives away a part of an object, and says how large that is in this thread afterwards. */
export const giveAwayPart = () => move({ kept: kept.buffer }, [kept.buffer])
export const keptSize = (): number => kept.byteLength

/** Gives away the same memory with every call, which is possible only once. */
export const giveAwayTwice = () => move(kept)

export function trace(file: string): string {
  appendFileSync(file, 'x')
  return file
}

/** Ends its thread, or nothing. */
export const die = (now: boolean): void => void (now && process.exit(3))

export function loop(now: boolean): void {
  while (now);
}

export const notATask = 5
