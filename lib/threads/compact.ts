/**
 * Copies bytes whose underlying memory is at least twice as large. A message to another thread copies all the memory
 * behind a view.
 */
export const compactBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.buffer.byteLength < 2 * bytes.length ? bytes : new Uint8Array(bytes)
