import { mkdirSync, writeFileSync } from 'node:fs'
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
import { type Files, type OpenFile, runLater, type Steps, wait } from './steps.ts'

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
  readonly #files: Files
  readonly #info: string
  readonly #touching: NodeJS.Timeout
  readonly #life: Server
  readonly #askers = new Set<Socket>()

  /**
   * @param linesBefore the number of lines in the segments of all earlier epochs
   * @throws if the directory cannot be created
   */
  constructor(place: WriterPlace, files: Files, epoch: number, linesBefore: number) {
    const { logDirectory, resource, limits } = place
    this.#files = files
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
    this.#touching = setInterval(
      () => void runLater(this.#touch()).catch(() => {}),
      TOUCH_INTERVAL_MS,
    ).unref()
  }

  /**
   * Creates a segment with this number, or with a later one if something else has its name.
   * @throws if the directory is gone
   */
  *createSegment(number: number): Steps<{ readonly file: OpenFile; readonly number: number }> {
    let file: OpenFile
    try {
      file = yield* wait(this.#files.open(this.#segment(number), 'ax', OWNER_ONLY.mode))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      return yield* this.createSegment(number + 1)
    }
    try {
      yield* this.#touch()
      return { file, number }
    } catch (error) {
      yield* wait(file.close())
      throw error
    }
  }

  /**
   * Checks that a segment is at its path; without a segment, that `writer.json` is.
   * @throws ENOENT if the file was removed or the transport has taken over the directory
   */
  *check(segment: number | undefined): Steps<void> {
    const file = segment === undefined ? join(this.path, WRITER_FILE) : this.#segment(segment)
    yield* wait(this.#files.access(file))
  }

  /** Returns the size in bytes of all segments that the transport has not deleted. */
  *segmentBytes(): Steps<number> {
    let bytes = 0
    for (const name of yield* wait(this.#files.readdir(this.path))) {
      if (segmentNumber(name) === undefined) continue
      try {
        bytes += (yield* wait(this.#files.stat(join(this.path, name)))).size
      } catch {
        // The transport may delete a segment at any time.
      }
    }
    return bytes
  }

  /**
   * Marks that the writer has stopped in order and that no epoch follows.
   * @param lines the number of lines in the segments of all epochs
   * @throws if the directory is gone
   */
  *markEnd(lines: number): Steps<void> {
    yield* this.#touch()
    const file = join(this.path, CLOSED_FILE)
    yield* wait(this.#files.writeFile(`${file}.part`, String(lines), OWNER_ONLY))
    yield* wait(this.#files.rename(`${file}.part`, file))
  }

  /** Leaves the rest of this directory to the transport, because another epoch has begun. */
  *abandon(files: Files): Steps<void> {
    try {
      yield* wait(files.rename(this.path, endedName(this.path)))
    } catch {
      // It is gone already.
    }
  }

  #segment(number: number): string {
    return join(this.path, segmentName(number))
  }

  /**
   * Gives a sign of life. If someone removes the directory while a segment is being created, the segment may stay
   * behind without a writer.json, and no transport would read it. Therefore a missing writer.json is created again.
   * @throws if the directory is gone
   */
  *#touch(): Steps<void> {
    const file = join(this.path, WRITER_FILE)
    try {
      yield* wait(this.#files.utimes(file, new Date(), new Date()))
    } catch {
      yield* wait(this.#files.writeFile(file, this.#info, OWNER_ONLY))
    }
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
