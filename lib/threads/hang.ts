import { monotonicMs } from '../units.ts'

/** The way in which a fault switch keeps a thread from its work: the thread sleeps, or its code loops. */
export interface Hang {
  readonly how: 'stall' | 'loop'
  readonly forMs: number
  /** A value other than zero ends the hang. It is shared memory, except in another process, which cannot share it. */
  readonly over: unknown
}

/** The shared memory with which a hang is ended early. */
export const newOver = () => new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

export function endHang(over: Int32Array): void {
  Atomics.store(over, 0, 1)
  Atomics.notify(over, 0)
}

/** Blocks this thread until the hang is over. */
export function hang({ how, forMs, over: given }: Hang): void {
  const over = given instanceof Int32Array ? given : newOver()
  if (how === 'stall') Atomics.wait(over, 0, 0, forMs)
  else for (const untilMs = monotonicMs() + forMs; monotonicMs() < untilMs && Atomics.load(over, 0) === 0; );
}
