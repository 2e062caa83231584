import { connect, type Socket } from 'node:net'
import { readBoot, socketPath, type WriterInfo } from './protocol.ts'

/** State of a writer's process. One that is `unknown` cannot be asked: it runs on another machine, for example. */
type Life = 'lives' | 'dead' | 'unknown'

interface Known {
  /** The connection stays open as long as the writer lives. */
  connection?: Socket
  /** The writer has answered once. So it runs on this kernel, and this kernel will also report its end. */
  hasAnswered?: true
  asking?: Promise<Life>
}

/** Finds out which writers live, by the rules at the head of `protocol.ts`. */
export class Liveness {
  readonly #boot = readBoot()
  readonly #known = new Map<string, Known>()

  /** Finds out whether the writer of a directory lives. */
  ask(directory: string, { boot }: Pick<WriterInfo, 'boot'>): Promise<Life> {
    const known: Known = this.#known.get(directory) ?? {}
    this.#known.set(directory, known)
    if (known.connection) return Promise.resolve('lives')
    known.asking ??= this.#askAgain(directory, boot, known).finally(() => {
      known.asking = undefined
    })
    return known.asking
  }

  /** The connections to the writers of these directories; undefined if one of the writers has none. */
  connections(directories: readonly string[]): readonly Socket[] | undefined {
    const found = directories.flatMap(directory => this.#known.get(directory)?.connection ?? [])
    return found.length === directories.length ? found : undefined
  }

  /** Forgets all writers except those of the given directories. */
  keepOnly(directories: readonly string[]): void {
    for (const [directory, { connection }] of this.#known) {
      if (directories.includes(directory)) continue
      connection?.destroy()
      this.#known.delete(directory)
    }
  }

  async #askAgain(directory: string, boot: WriterInfo['boot'], known: Known): Promise<Life> {
    const answer = await knock(socketPath(directory))
    if (typeof answer !== 'string') {
      known.connection = answer
      known.hasAnswered = true
      answer.once('close', () => {
        known.connection = undefined
      })
      return 'lives'
    }
    // EAGAIN means that the queue of connections to accept is full. So a process listens.
    if (answer === 'EAGAIN') return 'lives'
    const isOfThisKernel = known.hasAnswered || (boot !== null && boot === this.#boot)
    return answer === 'ECONNREFUSED' && isOfThisKernel ? 'dead' : 'unknown'
  }
}

/** Connects to a Unix socket. @returns the connection, or the code of the error */
function knock(path: string): Promise<Socket | string> {
  return new Promise(resolve => {
    const socket = connect(path)
    socket.unref().resume()
    socket.once('connect', () => resolve(socket))
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code))
  })
}
