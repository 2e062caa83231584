import { readdir, stat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { readBoot, segmentNumber, socketPath, WRITER_FILE, type WriterInfo } from './protocol.ts'

/** State of a writer's process. `silent` means that it was silent for so long that it is believed to be dead. */
type Life = 'lives' | 'dead' | 'silent'

interface Known {
  readonly silence: Silence
  /** The connection stays open as long as the writer lives. */
  connection?: Socket
  /** The writer has answered once. So it runs on this kernel, and this kernel will also report its end. */
  hasAnswered?: true
  asking?: Promise<Life>
}

/** Finds out which writers live, by the rules at the head of `protocol.ts`. */
export class Liveness {
  readonly #silentAfterMs: number
  readonly #boot = readBoot()
  readonly #known = new Map<string, Known>()

  /**
   * @param silentAfterMs A writer that cannot be asked is believed to be dead after this many milliseconds of silence.
   */
  constructor(silentAfterMs: number) {
    this.#silentAfterMs = silentAfterMs
  }

  /**
   * Finds out whether the writer of a directory lives.
   * @throws if the writer cannot be reached by its socket and its `writer.json` does not exist
   */
  ask(directory: string, { boot }: Pick<WriterInfo, 'boot'>): Promise<Life> {
    const known = this.#known.get(directory) ?? { silence: new Silence() }
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

  close(): void {
    this.keepOnly([])
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
    if (answer === 'ECONNREFUSED' && isOfThisKernel) return 'dead'
    const silentMs = known.silence.observe(await readSigns(directory), performance.now())
    return silentMs > this.#silentAfterMs ? 'silent' : 'lives'
  }
}

/**
 * Returns a text that changes while a writer lives. It is made of the time at which the writer last touched its file,
 * and of the number and size of its last segment.
 */
async function readSigns(directory: string): Promise<string> {
  const { ctimeNs } = await stat(join(directory, WRITER_FILE), { bigint: true })
  const last = (await readdir(directory))
    .filter(name => segmentNumber(name) !== undefined)
    .sort()
    .at(-1)
  const size = last && (await stat(join(directory, last))).size
  return `${ctimeNs} ${last} ${size}`
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

/**
 * A longer time between two observations means that this process paused. It says nothing about the observed process.
 */
const LONGEST_STEP_MS = 1000

/**
 * Measures for how long another process has given no sign of life while this process observed it. Any change of the
 * observed sign is a sign of life, so clocks of other processes do not matter. If this process was stopped, alone or
 * together with the other, the stop adds at most a second to the silence.
 */
export class Silence {
  #sign: string | undefined
  #silentMs = 0
  #observedAtMs = 0

  /**
   * Records an observation.
   * @param sign a text that changes as long as the other process lives
   * @param nowMs the time of a clock that cannot be set, such as `performance.now()`, in milliseconds
   * @returns the length of the silence in milliseconds
   */
  observe(sign: string, nowMs: number): number {
    const stepMs = Math.min(nowMs - this.#observedAtMs, LONGEST_STEP_MS)
    this.#silentMs = sign === this.#sign ? this.#silentMs + stepMs : 0
    this.#sign = sign
    this.#observedAtMs = nowMs
    return this.#silentMs
  }
}
