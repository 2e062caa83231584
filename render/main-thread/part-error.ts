/** The reasons why a part of a page has no HTML, by their codes. */
const messages = {
  PART_FAILED: 'it threw; see the cause',
  PROPS_NOT_CLONEABLE: 'its props cannot be copied to a thread; see the cause',
  PART_LATE: 'it was not ready within partTimeoutMs',
  THREAD_DIED: 'its thread died, or was replaced because it made no progress',
  RENDERER_CLOSED: 'the renderer was closed before it was rendered',
  CLIENT_GONE: 'nobody wants the page any more',
} as const

export type PartErrorCode = keyof typeof messages

/** A part of a page that has no HTML. `code` says why. If a component threw, `cause` has its stack and its components. */
export class PartError extends Error {
  override name = 'PartError'
  readonly code: PartErrorCode
  /** The name of the part. */
  readonly part: string

  constructor(code: PartErrorCode, part: string, cause?: unknown) {
    super(`part ${part}: ${messages[code]}`, { cause })
    this.code = code
    this.part = part
  }
}
