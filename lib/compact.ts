/** The same bytes in memory of about their size: a message to another thread copies all the memory that a view is of. */
export const compactBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.buffer.byteLength < 2 * bytes.length ? bytes : new Uint8Array(bytes)
