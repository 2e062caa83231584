import { monotonicMs } from './units.ts'

/** How a thread is kept from its work by a fault switch: it sleeps, or its code loops. */
export interface Hang {
  readonly how: 'stall' | 'loop'
  readonly forMs: number
  /** Other than zero, it is over. Memory that is shared, unless it has to go to another process. */
  readonly over: unknown
}

/** What is to be told when a hang is to end early. */
export const newOver = () => new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

export function endHang(over: Int32Array): void {
  Atomics.store(over, 0, 1)
  Atomics.notify(over, 0)
}

/** Keeps this thread busy with nothing. */
export function hang({ how, forMs, over: given }: Hang): void {
  const over = given instanceof Int32Array ? given : newOver()
  if (how === 'stall') Atomics.wait(over, 0, 0, forMs)
  else for (const untilMs = monotonicMs() + forMs; monotonicMs() < untilMs && Atomics.load(over, 0) === 0; );
}
