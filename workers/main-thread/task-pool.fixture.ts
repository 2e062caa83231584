import { appendFileSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type MessagePort, parentPort, resourceLimits, threadId, workerData } from 'node:worker_threads'
import { oddMessages } from '../../lib/threads/odd-messages.fixture.ts'
import { move } from './index.ts'

/** Tasks as a service may have them: each exported function is one. */

export const double = (number: number): number => 2 * number

export const nothing = (): undefined => undefined

const left = { turns: 0 }
/** Leaves behind what goes on in later turns of the event loop. */
export function leaveBehind(): void {
  setImmediate(() => {
    left.turns++
    setImmediate(() => void left.turns++)
  })
}
/** Says after a millisecond of work how much of that went on. */
export function turnsOfLeft(): number {
  const untilMs = performance.now() + 1
  while (performance.now() < untilMs);
  return left.turns
}

/** Returns what no message can contain. */
export const close = (): (() => void) => () => {}

export const later = async ({ text }: { readonly text: string }): Promise<string> => {
  await delay(1)
  return text.toUpperCase()
}

/** A query builder as databases have them: it can be awaited, and is no Promise. */
export const query = (number: number): PromiseLike<number> => ({
  // biome-ignore lint/suspicious/noThenProperty: that is what it is
  then: (resolve, reject) => delay(1, 2 * number).then(resolve, reject),
})

export const failWithFields = (): never => {
  const cause = new RangeError('inner')
  throw Object.assign(new TypeError('no such order', { cause }), { code: 'E_ORDER', statusCode: 404 })
}

export const failLater = (): Promise<never> => delay(1).then(failWithFields)

/** Throws what has no text, not even its type. */
export const throwOdd = (): never => {
  throw new Proxy(Object.create(null), {
    get: throwNothing,
    getPrototypeOf: throwNothing,
    ownKeys: throwNothing,
  })
}

function throwNothing(): never {
  throw undefined
}

/** Returns what throws nothing when it is copied. */
export const returnOdd = (): unknown =>
  Object.defineProperty({}, 'odd', { enumerable: true, get: throwNothing })

export const talk = (lines: number): void => {
  for (let line = 1; line <= lines; line++) console.log(`line ${line}`)
}

let besideWait = () => {}

export const wait = (ms: number): Promise<void> => {
  besideWait()
  return delay(ms)
}

/** Throws an error when no task is running. */
export const throwSoon = (): void => void setImmediate(() => throwOn('a timer of another task'))

/** Throws an error when `wait` is running. */
export const throwBesideWait = (): void => {
  besideWait = throwSoon
}

function throwOn(what: string): never {
  throw new RangeError(`on purpose, in ${what}`)
}

/** Throws null when no task is running. */
export const throwLater = (): void =>
  void setImmediate(() => {
    throw null
  })

/** Leaves behind what ends the thread in the next turn of its event loop. */
export const leaveRejection = (): void => void Promise.reject(new Error('left behind on purpose'))

export const leaveThrow = (): void =>
  process.nextTick(() => {
    throw new Error('left behind on purpose')
  })

/** Leaves behind what keeps the thread from its end. */
export const loopAtEnd = (): void => void process.once('exit', () => loop(true))

export function loop(now: boolean): void {
  while (now);
}

/** Waits in the operating system until somebody writes into a FIFO. Nothing interrupts that. */
export const read = (fifo: string): string => readFileSync(fifo, 'utf8')

export const keepBuffers = (mib: number): never => {
  for (const kept: Buffer[] = []; ; ) if (kept.length < mib) kept.push(Buffer.alloc(2 ** 20, 1))
}

export const keepObjects = (_mib: number): never => {
  for (const kept: unknown[] = []; ; ) kept.push({ kept: [kept.length] })
}

/** Adds one to a count in shared memory. */
export const count = (counts: Int32Array<SharedArrayBuffer>): number => Atomics.add(counts, 0, 1)

/** Counts the calls in this thread. */
let calls = 0
export const countHere = (): number => calls++

export const notATask = 5

/** Posts what no pool understands to the main thread, or to the process that started this one, as code does that takes it for its own. */
export function postStray(count: number): number {
  for (const message of oddMessages(count))
    if (parentPort) parentPort.postMessage(message)
    else process.send?.(message)
  return count
}

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
