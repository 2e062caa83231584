/** A fault that is not possible in this app. The message says what it needs. */
export class FaultRefused extends Error {
  override name = 'FaultRefused'
}
