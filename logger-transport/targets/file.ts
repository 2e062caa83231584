import { readdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ownFile } from '../../lib/os/own-place.ts'
import { openLogFile } from '../../lib/telemetry/log-file.ts'
import { AppendedFile } from './appended-file.ts'
import type { Target } from './contract.ts'

interface FileOptions {
  readonly file: string
  /** The file is rotated before it would become larger than this. */
  readonly maxBytes: number
  /** Number of rotated files that are kept; older ones are deleted. */
  readonly kept: number
}

/** Creates the target that the options describe. @throws UserError if the file cannot be written, or another process uses it */
export async function openFileTarget(options: {
  readonly logFile: string
  readonly fileMib: number
  readonly keptFiles: number
}): Promise<Target> {
  const file = openLogFile(options.logFile)
  await ownFile(file, 'logger-transport', '--log-file')
  return createFileTarget({ file, maxBytes: options.fileMib * 2 ** 20, kept: options.keptFiles })
}

/**
 * Appends to a file that is rotated: `app.log` becomes `app.log.1`, the next file `app.log.2`, and so on. pino-roll and
 * other rotating streams do not report when a line is written, or fail for good when the disk is full. With them, the
 * transport could not promise that a line is checkpointed only after it was delivered.
 */
export function createFileTarget({ file, maxBytes, kept }: FileOptions): Target {
  const log = new AppendedFile(file)
  let last: Promise<unknown> = Promise.resolve()

  /** Runs one piece of work at a time: a delivery that was given up may still be running. */
  async function inTurn(work: () => Promise<unknown>): Promise<void> {
    const turn = last.then(work)
    last = turn.catch(() => {})
    await turn
  }

  async function rotate(): Promise<void> {
    const numbers = rotatedNumbers(file)
    await log.close()
    await rename(file, `${file}.${(numbers.at(-1) ?? 0) + 1}`)
    for (const number of numbers.slice(0, Math.max(0, numbers.length + 1 - kept)))
      await rm(`${file}.${number}`)
  }

  return {
    name: 'file',
    async deliver(records) {
      const lines = Buffer.from(records.map(({ text }) => `${text}\n`).join(''))
      await inTurn(async () => {
        const size = await log.look()
        if (size > 0 && size + lines.length > maxBytes) await rotate()
        await log.append(lines)
      })
      return []
    },
    close: () => inTurn(() => log.close()),
  }
}

/** Returns the numbers of the rotated files, ascending. */
function rotatedNumbers(file: string): number[] {
  const prefix = `${basename(file)}.`
  return readdirSync(join(dirname(file)))
    .filter(name => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map(name => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b)
}
