import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OWNER_ONLY, OWNER_ONLY_DIRECTORY } from '../../lib/telemetry/log-file.ts'

const { O_RDWR, O_APPEND, O_CREAT, O_NONBLOCK } = constants
const FLAGS = O_RDWR | O_APPEND | O_CREAT | (O_NONBLOCK ?? 0)
const CHUNK_BYTES = 64 * 1024
/** The transport never writes a line of this size, so another program wrote half a line that is longer. */
const MAX_HALF_LINE_BYTES = 2 * 2 ** 20
const NEWLINE = 10

/**
 * A file to which lines are appended. Other programs, such as logrotate, may rename or remove it at any time. When the
 * file at the path is not the open file any more, the path is opened again.
 */
export class AppendedFile {
  readonly #path: string
  #open: { readonly handle: FileHandle; readonly inode: bigint; readonly device: bigint } | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Opens the file at the path, unless it is the open file. @returns its size in bytes */
  async look(): Promise<number> {
    const there = await stat(this.#path, { bigint: true }).catch(() => undefined)
    if (there && there.ino === this.#open?.inode && there.dev === this.#open.device) return Number(there.size)
    await this.close()
    await mkdir(dirname(this.#path), { recursive: true, mode: OWNER_ONLY_DIRECTORY })
    const handle = await open(this.#path, FLAGS, OWNER_ONLY)
    try {
      // A write to a full pipe would hold a thread of libuv's pool, and with it the end of this process.
      if ((await handle.stat()).isFIFO()) throw new Error(`${this.#path} is a pipe`)
      await endWithWholeLine(handle)
      const { ino: inode, dev: device, size } = await handle.stat({ bigint: true })
      this.#open = { handle, inode, device }
      return Number(size)
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /**
   * Appends lines to the file at the path. If the file was removed during the write, the lines are written again to the
   * next file. A file that was renamed keeps its lines.
   */
  async append(lines: Buffer): Promise<void> {
    for (;;) {
      const size = await this.look()
      const { handle } = this.#open as { handle: FileHandle }
      try {
        await handle.appendFile(lines)
      } catch (error) {
        // The part that was written is cut off again, because all lines will be delivered once more.
        await handle.truncate(size).catch(() => {})
        throw error
      }
      if ((await handle.stat()).nlink > 0) return
    }
  }

  async close(): Promise<void> {
    const handle = this.#open?.handle
    this.#open = undefined
    await handle?.close()
  }
}

/**
 * Cuts off half a line at the end of a file. A transport that is killed in the middle of a write leaves one behind. The
 * checkpoint does not include it, so it is delivered again, from the beginning of a line. Half a line that is too long
 * to be a transport's belongs to another program; it is not cut off, but ended by a newline.
 */
async function endWithWholeLine(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat()
  if (size === 0) return
  for (let end = size; size - end < MAX_HALF_LINE_BYTES; end -= CHUNK_BYTES) {
    const begin = Math.max(0, end - CHUNK_BYTES)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - begin), 0, end - begin, begin)
    const wholeLines = begin + buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE) + 1
    if (wholeLines === size) return
    if (wholeLines > begin || begin === 0) return handle.truncate(wholeLines)
  }
  await handle.appendFile('\n')
}
