import type { ClientWatch } from '../../lib/threads/envelope.ts'

/** A request, with those who want to know when nothing more of its answer will be sent. */
type Request = Pick<ClientWatch, 'gone'> & { endings?: (() => void)[] }

/** Calls `listener` when nothing more of the answer will be sent: all of it was, unless the client has gone. */
export function onEnd(request: Request, listener: () => void): void {
  if (request.gone) return listener()
  request.endings ??= []
  request.endings.push(listener)
}

/** Notes that the answer was sent, or that the connection was closed before. */
export function noteEnd({ endings = [] }: Request): void {
  for (const listener of endings) listener()
}

/** Frees the memory of a body, which came from a thread, when it was sent: a collection would do that later. */
export const freeWhenSent = (body: Buffer, request: Request): void =>
  onEnd(request, () => request.gone || (body.buffer as ArrayBuffer).transfer(0))
