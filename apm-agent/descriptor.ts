import type { Socket } from 'node:net'

/**
 * The file descriptor of a socket, for a write that the kernel takes at once, without the queue of its stream.
 * @returns -1 where it has none
 */
export const descriptorOf = (socket: Socket | undefined): number =>
  (socket as { readonly _handle?: { readonly fd?: number } } | undefined)?._handle?.fd ?? -1
