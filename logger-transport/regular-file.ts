import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** A file that cannot be read. Its code is that of the error of the file system, if there was one. */
export class Unreadable extends Error {
  readonly path: string
  readonly code: string | undefined

  constructor(path: string, cause: NodeJS.ErrnoException) {
    super(cause.message, { cause })
    this.path = path
    this.code = cause.code
  }
}

/** A FIFO is opened without waiting for its writer, and a link is not followed. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/**
 * Opens a file to read it.
 * @throws if there is none, or something else than a regular file
 */
export async function openRegular(path: string): Promise<FileHandle> {
  const file = await open(path, FLAGS)
  try {
    if (!(await file.stat()).isFile()) throw new Error('it is no regular file')
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/**
 * Reads a whole file that ought to be small.
 * @throws if it cannot be read, or has more than `maxBytes`
 */
export async function readSmall(path: string, maxBytes: number): Promise<string> {
  const file = await openRegular(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0)
    if (bytesRead > maxBytes) throw new RangeError(`it has more than ${maxBytes} bytes`)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
