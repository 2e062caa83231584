import type { ClientWatch } from '../../lib/threads/envelope.ts'

/** Those who want to know when nothing more of an answer will be sent. A request has one only if somebody does. */
export class Ending {
  readonly #listeners: (() => void)[] = []

  add(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** Notes that the answer was sent, or that the connection was closed before. */
  end(): void {
    for (const listener of this.#listeners) listener()
  }
}

type Request = Pick<ClientWatch, 'gone'> & { ending?: Ending }

/** Calls `listener` when nothing more of the answer will be sent: all of it was, unless the client has gone. */
export function onEnd(request: Request, listener: () => void): void {
  if (request.gone) return listener()
  request.ending ??= new Ending()
  request.ending.add(listener)
}

/** Frees the memory of a body, which came from a thread, when it was sent: a collection would do that later. */
export const freeWhenSent = (body: Buffer, request: Request): void =>
  onEnd(request, () => request.gone || (body.buffer as ArrayBuffer).transfer(0))
