import { BoundSocket } from 'node:net'
import { refusedPort } from '../lib/http/listen.ts'

const LOOPBACK = '127.0.0.1'

interface Place {
  /** An IP address. */
  readonly host?: string
  /** 0 takes a free one. */
  readonly port?: number
}

/** A port that this process has bound. It accepts no connection itself: processes that inherit the descriptor do. */
export interface HeldPort {
  readonly fd: number
  release(): void
}

/**
 * Binds a port for processes that are started later and share it. As long as it is held, connections wait for a
 * process that accepts them.
 * @throws UserError when the port is taken
 */
export function holdPort({ host = LOOPBACK, port = 0 }: Place): HeldPort {
  try {
    const bound = new BoundSocket({ host, port })
    return { fd: bound.fd(), release: () => bound.close() }
  } catch (error) {
    throw refusedPort(error, host, port, '--port')
  }
}
