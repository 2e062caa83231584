/**
 * Shared memory with one number for each slot of a pool. A worker thread writes the numbers, and the main thread can
 * read them at any time without a message.
 */
export type SlotMarks = Int32Array<SharedArrayBuffer>

export const createMarks = (slots: number): SlotMarks =>
  new Int32Array(new SharedArrayBuffer(slots * Int32Array.BYTES_PER_ELEMENT))
