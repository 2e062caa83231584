import { accessSync, mkdirSync, openSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { access, type FileHandle, open, readdir, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import {
  CLOSED_FILE,
  directoryName,
  endedName,
  readBoot,
  segmentName,
  segmentNumber,
  socketPath,
  TOUCH_INTERVAL_MS,
  WRITER_FILE,
  type WriterInfo,
} from '../protocol.ts'
import type { SegmentLimits } from './segment-limits.ts'

export const DISK_LIMIT = 'the disk limit is reached'

const OWNER_ONLY = { mode: 0o600 }

/** Where a writer writes its segments. */
export interface WriterPlace {
  /** The directory of all writers. */
  readonly logDirectory: string
  readonly resource: WriterInfo['resource']
  readonly limits: SegmentLimits
}

/** The directory of one epoch of a writer. As long as this process lives, the directory shows that it lives. */
export class WriterDirectory {
  readonly path: string
  readonly #info: string
  readonly #touching: NodeJS.Timeout
  readonly #life: Server
  readonly #askers = new Set<Socket>()

  /**
   * @param linesBefore the number of lines in the segments of all earlier epochs
   * @throws if the directory cannot be created
   */
  constructor({ logDirectory, resource, limits }: WriterPlace, epoch: number, linesBefore: number) {
    const { instance } = resource
    const path = join(logDirectory, directoryName({ instance, epoch }))
    this.path = path
    mkdirSync(path, { recursive: true, mode: 0o700 })
    // The socket comes before writer.json, because a transport that finds the file may ask at once.
    this.#life = this.#listen()
    this.#info = JSON.stringify({
      resource,
      linesBefore,
      diskBytes: limits.diskBytes,
      boot: readBoot(),
    } satisfies WriterInfo)
    try {
      writeFileSync(join(path, WRITER_FILE), this.#info, OWNER_ONLY)
    } catch (error) {
      this.#life.close()
      throw error
    }
    this.#touching = setInterval(() => void this.#touch().catch(() => {}), TOUCH_INTERVAL_MS).unref()
  }

  /**
   * Creates a segment with this number, or with a later one if something else has its name.
   * @throws if the directory is gone
   */
  async createSegment(number: number): Promise<{ readonly file: FileHandle; readonly number: number }> {
    const file = await open(join(this.path, segmentName(number)), 'ax', OWNER_ONLY.mode).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
        return undefined
      },
    )
    if (!file) return this.createSegment(number + 1)
    try {
      await this.#touch()
      return { file, number }
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /**
   * Checks that a segment is at its path; without a segment, that `writer.json` is.
   * @throws ENOENT if the file was removed or the transport has taken over the directory
   */
  check(segment: number | undefined): Promise<void> {
    return access(join(this.path, segment === undefined ? WRITER_FILE : segmentName(segment)))
  }

  /** Returns the size in bytes of all segments that the transport has not deleted. */
  async segmentBytes(): Promise<number> {
    const names = (await readdir(this.path)).filter(name => segmentNumber(name) !== undefined)
    // The transport may delete a segment at any time.
    const sizes = names.map(name =>
      stat(join(this.path, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    )
    return (await Promise.all(sizes)).reduce((total, size) => total + size, 0)
  }

  /**
   * Marks that the writer has stopped in order and that no epoch follows.
   * @param lines the number of lines in the segments of all epochs
   * @throws if the directory is gone
   */
  async markEnd(lines: number): Promise<void> {
    await this.#touch()
    const file = join(this.path, CLOSED_FILE)
    await writeFile(`${file}.part`, String(lines), OWNER_ONLY)
    await rename(`${file}.part`, file)
  }

  /** As `markEnd`. Those that end in `Now` block, because nothing may run later. */
  markEndNow(lines: number): void {
    writeFileSync(join(this.path, CLOSED_FILE), String(lines), OWNER_ONLY)
  }

  /** As `createSegment`. */
  createSegmentNow(number: number): number {
    return openSync(join(this.path, segmentName(number)), 'ax', OWNER_ONLY.mode)
  }

  /** As `check`. */
  checkNow(segment: number): void {
    accessSync(join(this.path, segmentName(segment)))
  }

  /** As `segmentBytes`. */
  segmentBytesNow(): number {
    const sizes = readdirSync(this.path)
      .filter(name => segmentNumber(name) !== undefined)
      .map(name => statSync(join(this.path, name), { throwIfNoEntry: false })?.size ?? 0)
    return sizes.reduce((total, size) => total + size, 0)
  }

  /** As `abandon`. */
  abandonNow(): void {
    try {
      renameSync(this.path, endedName(this.path))
    } catch {
      // It is gone already.
    }
  }

  /** Leaves the rest of this directory to the transport, because another epoch has begun. */
  async abandon(): Promise<void> {
    await rename(this.path, endedName(this.path)).catch(() => {})
    this.release()
  }

  /**
   * Gives a sign of life. If someone removes the directory while a segment is being created, the segment may stay
   * behind without a writer.json, and no transport would read it. Therefore a missing writer.json is created again.
   * @throws if the directory is gone
   */
  async #touch(): Promise<void> {
    const file = join(this.path, WRITER_FILE)
    await utimes(file, new Date(), new Date()).catch(() => writeFile(file, this.#info, OWNER_ONLY))
  }

  /** Listens, if possible. Otherwise (no sockets in the file system, path too long) the transport judges by silence. */
  #listen(): Server {
    const server = createServer(asker => {
      this.#askers.add(asker.unref().resume())
      asker.on('error', () => {}).once('close', () => this.#askers.delete(asker))
    })
    // `exclusive` keeps the primary of a cluster from listening instead: it would still listen after this process died.
    return server
      .on('error', () => {})
      .listen({ path: socketPath(this.path), exclusive: true })
      .unref()
  }

  /** Stops listening and touching. */
  release(): void {
    clearInterval(this.#touching)
    this.#life.close()
    for (const asker of this.#askers) asker.destroy()
  }
}
