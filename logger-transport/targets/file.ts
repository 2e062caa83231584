import { readdirSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { claimLogFile, OWNER_ONLY } from '../../lib/log-file.ts'
import type { Target } from './contract.ts'

interface FileOptions {
  readonly file: string
  /** Rotated when it would become larger. */
  readonly maxBytes: number
  /** How many rotated files are kept; older ones are deleted. */
  readonly kept: number
}

/**
 * Appends to a file that is rotated: `app.log` becomes `app.log.1`, the next one `app.log.2`, and so on. pino-roll and
 * other rotating streams do not say when a line is written, or fail for good when the disk is full, so they cannot
 * carry the promise that nothing is checkpointed before it is delivered.
 */
export function createFileTarget({ file, maxBytes, kept }: FileOptions): Target {
  claimLogFile(file)
  let current: { handle: FileHandle; bytes: number } | undefined

  async function openFile() {
    const handle = await open(file, 'a', OWNER_ONLY)
    return { handle, bytes: (await handle.stat()).size }
  }

  async function rotate(): Promise<void> {
    const numbers = rotatedNumbers(file)
    await current?.handle.close()
    current = undefined
    await rename(file, `${file}.${(numbers.at(-1) ?? 0) + 1}`)
    for (const number of numbers.slice(0, Math.max(0, numbers.length + 1 - kept)))
      await rm(`${file}.${number}`)
  }

  return {
    name: 'file',
    async deliver(records) {
      const bytes = Buffer.from(records.map(({ text }) => `${text}\n`).join(''))
      current ??= await openFile()
      if (current.bytes > 0 && current.bytes + bytes.length > maxBytes) {
        await rotate()
        current = await openFile()
      }
      try {
        await current.handle.appendFile(bytes)
        current.bytes += bytes.length
      } catch (error) {
        // What was half written goes away again: it will be delivered once more, whole.
        await current.handle.truncate(current.bytes).catch(() => {})
        throw error
      }
    },
    async close() {
      await current?.handle.close()
      current = undefined
    },
  }
}

/** The numbers of the rotated files, ascending. */
function rotatedNumbers(file: string): number[] {
  const prefix = `${basename(file)}.`
  return readdirSync(join(dirname(file)))
    .filter(name => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map(name => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b)
}
