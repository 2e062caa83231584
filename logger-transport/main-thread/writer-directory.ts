import { mkdirSync, writeFileSync } from 'node:fs'
import { access, type FileHandle, open, readdir, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { readBoot } from '../boot.ts'
import {
  CLOSED_FILE,
  endedName,
  SOCKET_FILE,
  segmentName,
  segmentNumber,
  TOUCH_INTERVAL_MS,
  WRITER_FILE,
  type WriterInfo,
} from '../protocol.ts'

const OWNER_ONLY = { mode: 0o600 }

/** Whether an error of the file system says that something is not at its path any more. */
export const isGone = ({ code = '' }: { code?: string | undefined }): boolean =>
  ['ENOENT', 'ENOTDIR', 'ESTALE'].includes(code)

/** The directory of one epoch of a writer, which says as long as this process lives that it does. */
export class WriterDirectory {
  readonly path: string
  readonly #info: string
  readonly #touching: NodeJS.Timeout
  readonly #life: Server
  readonly #askers = new Set<Socket>()

  /** @throws when the directory cannot be made */
  constructor(path: string, info: Omit<WriterInfo, 'boot'>) {
    this.path = path
    mkdirSync(path, { recursive: true, mode: 0o700 })
    // Before writer.json: a transport that finds the file may ask at once.
    this.#life = this.#listen()
    this.#info = JSON.stringify({ ...info, boot: readBoot() })
    writeFileSync(join(path, WRITER_FILE), this.#info, OWNER_ONLY)
    this.#touching = setInterval(() => void this.#touch().catch(() => {}), TOUCH_INTERVAL_MS).unref()
  }

  /** @throws when it is there already, or the directory is gone */
  async createSegment(number: number): Promise<FileHandle> {
    const file = await open(join(this.path, segmentName(number)), 'ax', OWNER_ONLY.mode)
    try {
      await this.#touch()
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** @throws ENOENT when a segment is not at its path: it was removed, or the transport has taken the directory over */
  check(segment: number | undefined): Promise<void> {
    return access(join(this.path, segment === undefined ? WRITER_FILE : segmentName(segment)))
  }

  /** What all segments take that the transport has not deleted. */
  async segmentBytes(): Promise<number> {
    const names = (await readdir(this.path)).filter(name => segmentNumber(name) !== undefined)
    // The transport may delete one at any time.
    const sizes = names.map(name =>
      stat(join(this.path, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    )
    return (await Promise.all(sizes)).reduce((total, size) => total + size, 0)
  }

  /**
   * Marks the end in order: no epoch follows. `lines` is how many this one and those before it hold.
   * @throws when the directory is gone
   */
  async markEnd(lines: number): Promise<void> {
    await this.#touch()
    const file = join(this.path, CLOSED_FILE)
    await writeFile(`${file}.part`, String(lines), OWNER_ONLY)
    await rename(`${file}.part`, file)
  }

  /** Leaves what there still is of it to the transport, as another epoch has begun. */
  async abandon(): Promise<void> {
    await rename(this.path, endedName(this.path)).catch(() => {})
    this.release()
  }

  /**
   * A sign of life. Someone who removes the directory while a segment is created leaves that behind, and no writer.json,
   * without which nobody would read it: so that is made again.
   * @throws when the directory is gone
   */
  async #touch(): Promise<void> {
    const file = join(this.path, WRITER_FILE)
    await utimes(file, new Date(), new Date()).catch(() => writeFile(file, this.#info, OWNER_ONLY))
  }

  /** Where the file system has no sockets, or the path is too long for one, nobody can ask; silence has to tell. */
  #listen(): Server {
    const server = createServer(asker => {
      this.#askers.add(asker.unref().resume())
      asker.on('error', () => {}).once('close', () => this.#askers.delete(asker))
    })
    // Not by the primary of a cluster: it would listen on when this process is dead.
    return server
      .on('error', () => {})
      .listen({ path: join(this.path, SOCKET_FILE), exclusive: true })
      .unref()
  }

  /** Listens no more. */
  release(): void {
    clearInterval(this.#touching)
    this.#life.close()
    for (const asker of this.#askers) asker.destroy()
  }
}
