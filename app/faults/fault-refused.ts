/** A fault cannot be had here; the message says what it needs. */
export class FaultRefused extends Error {
  override name = 'FaultRefused'
}
