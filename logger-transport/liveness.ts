import { readdir, stat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { readBoot } from './boot.ts'
import { SOCKET_FILE, segmentNumber, WRITER_FILE, type WriterInfo } from './protocol.ts'
import { Silence } from './silence.ts'

/** Whether a writer's process lives, or is dead, or has been silent for so long that it is believed to be dead. */
type Life = 'lives' | 'dead' | 'silent'

interface Known {
  readonly silence: Silence
  /** Held as long as the writer lives. */
  connection?: Socket
  /** It has answered once: it runs on this kernel, which will also tell its end. */
  hasAnswered?: true
  asking?: Promise<Life>
}

/** Finds out which writers live, as `protocol.ts` describes it. */
export class Liveness {
  readonly #silentAfterMs: number
  readonly #boot = readBoot()
  readonly #known = new Map<string, Known>()

  /** @param silentAfterMs the silence after which a writer that cannot be asked is believed to be dead */
  constructor(silentAfterMs: number) {
    this.#silentAfterMs = silentAfterMs
  }

  /** @throws when the writer's file is not there */
  ask(directory: string, { boot }: WriterInfo): Promise<Life> {
    const known = this.#known.get(directory) ?? { silence: new Silence() }
    this.#known.set(directory, known)
    if (known.connection) return Promise.resolve('lives')
    known.asking ??= this.#askAgain(directory, boot, known).finally(() => {
      known.asking = undefined
    })
    return known.asking
  }

  /** Forgets whoever has no directory any more. */
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
    const answer = await knock(join(directory, SOCKET_FILE))
    if (typeof answer !== 'string') {
      known.connection = answer
      known.hasAnswered = true
      answer.once('close', () => {
        known.connection = undefined
      })
      return 'lives'
    }
    // So many wait to be accepted that there is no room for one more; but somebody listens.
    if (answer === 'EAGAIN') return 'lives'
    const isOfThisKernel = known.hasAnswered || (boot !== null && boot === this.#boot)
    if (answer === 'ECONNREFUSED' && isOfThisKernel) return 'dead'
    const silentMs = known.silence.observe(await readSigns(directory), performance.now())
    return silentMs > this.#silentAfterMs ? 'silent' : 'lives'
  }
}

/** What changes while a writer lives: the time of the file that it touches, and its segments, which grow. */
async function readSigns(directory: string): Promise<string> {
  const { ctimeNs } = await stat(join(directory, WRITER_FILE), { bigint: true })
  const last = (await readdir(directory))
    .filter(name => segmentNumber(name) !== undefined)
    .sort()
    .at(-1)
  const size = last && (await stat(join(directory, last))).size
  return `${ctimeNs} ${last} ${size}`
}

/** @returns the connection, or the code of the error */
function knock(path: string): Promise<Socket | string> {
  return new Promise(resolve => {
    const socket = connect(path)
    socket.unref().resume()
    socket.once('connect', () => resolve(socket))
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code))
  })
}
