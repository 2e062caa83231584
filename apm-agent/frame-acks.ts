/**
 * The frames of one app from their arrival until they are acknowledged. An ack covers all earlier frames, so a frame is
 * acknowledged when it and all frames before it are settled: exported, or counted as dropped.
 */
export class FrameAcks {
  /** Functions that send an ack to the app, one for each of its connections. */
  readonly senders = new Set<(sequence: number) => void>()
  readonly #unsettled: { readonly sequence: number; isSettled: boolean }[] = []
  #received = 0
  #acknowledged = 0

  /** The sequence of the last frame that was taken. */
  get received(): number {
    return this.#received
  }

  /** The sequence of the last frame that is settled together with all frames before it. */
  get acknowledged(): number {
    return this.#acknowledged
  }

  /** Notes a new frame. @returns a function to call when the frame is settled */
  take(sequence: number): () => void {
    const frame = { sequence, isSettled: false }
    this.#unsettled.push(frame)
    this.#received = sequence
    return () => {
      frame.isSettled = true
      this.#advance()
    }
  }

  #advance(): void {
    const before = this.#acknowledged
    while (this.#unsettled[0]?.isSettled)
      this.#acknowledged = (this.#unsettled.shift() as { sequence: number }).sequence
    if (this.#acknowledged > before) for (const send of this.senders) send(this.#acknowledged)
  }
}
