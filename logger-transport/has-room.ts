import { statfsSync } from 'node:fs'

/** As much as the segments of one writer may take by default. */
const ENOUGH_BYTES = 256 * 2 ** 20
const SHARE = 1 / 4

/**
 * Tells whether a file system has room for what is kept only to be looked at, such as refused lines. A quarter of it, or 256 MiB,
 * is left to lines that are still to be delivered: nothing of what is kept would ever be deleted to make room for them.
 */
export function hasRoom(directory: string): boolean {
  try {
    const { bavail, blocks, bsize } = statfsSync(directory)
    return bavail * bsize >= Math.min(blocks * bsize * SHARE, ENOUGH_BYTES)
  } catch {
    // Whoever writes there is told why it cannot be.
    return true
  }
}
