import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { endedName, WRITER_FILE } from './protocol.ts'

/**
 * Renames the directory of a writer that cannot be asked whether it lives, if it has not touched its `writer.json` for long. If it
 * lives all the same, because it was suspended or its clock is wrong, it does not find its segments, and continues in another
 * directory.
 * @returns whether it was renamed
 * @throws if there is no `writer.json`
 */
export type TakeOver = (directory: string) => Promise<boolean>

/** @param limitMs such a writer is believed to be dead after this many milliseconds without a sign of life */
export const createTakeOver =
  (limitMs = 60_000): TakeOver =>
  async directory => {
    const { mtimeMs } = await stat(join(directory, WRITER_FILE))
    if (Date.now() - mtimeMs <= limitMs) return false
    return rename(directory, endedName(directory)).then(
      () => true,
      () => false,
    )
  }
