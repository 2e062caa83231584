/**
 * Shared memory with one number for each slot of a pool. The main thread can read at any time what a worker thread has
 * written there, and no message is needed.
 */
export type SlotMarks = Int32Array<SharedArrayBuffer>

export const createMarks = (slots: number): SlotMarks =>
  new Int32Array(new SharedArrayBuffer(slots * Int32Array.BYTES_PER_ELEMENT))
