import assert from 'node:assert/strict'
import { closeSync, existsSync, fstatSync, openSync, readSync, renameSync, rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { logPlaces } from '../stack-parts.ts'
import { type Fault, startRequests, until } from './fault.ts'
import { logUrl, startLoggingStack } from './logging-stack.ts'
import { deliveredNumbers, readNumbers, upTo } from './written-lines.ts'

const EVERY_MS = 200

/** Faults that test the promises about a log file that other programs rename or remove. */
export const logFileFaults: readonly Fault[] = [
  {
    name: 'the log file renamed again and again, as logrotate does',
    seconds: 10,
    async run(directory, seconds) {
      const { logFile } = logPlaces(directory)
      let renamed = 0
      const emitted = await moveUnderLoad(directory, seconds, () =>
        renameSync(logFile, `${logFile}.${++renamed}`),
      )
      const numbers = deliveredNumbers(directory)
      assert.deepEqual(numbers, upTo(emitted))
      return `${renamed} times; ${emitted} lines, all in the files, in order, none twice`
    },
  },
  {
    name: 'the log file removed again and again',
    seconds: 10,
    async run(directory, seconds) {
      const { logFile } = logPlaces(directory)
      let removed = 0
      const gone: number[] = []
      const emitted = await moveUnderLoad(directory, seconds, () => {
        removed++
        gone.push(...removeFile(logFile))
      })
      const left = deliveredNumbers(directory)
      assert.deepEqual(sorted(new Set([...gone, ...left])), upTo(emitted))
      return `${removed} times; of ${emitted} lines ${left.length} are in the file, ${gone.length} were in it when it was removed, none lost in between`
    },
  },
]

/**
 * Moves the log file away under load, each time after it has been created again.
 * @returns the number of lines that the app emitted
 */
async function moveUnderLoad(directory: string, seconds: number, move: () => void): Promise<number> {
  const { logFile } = logPlaces(directory)
  const stack = await startLoggingStack(directory)
  const requests = startRequests(logUrl(stack))
  const endsAtMs = performance.now() + seconds * 1000
  while (performance.now() < endsAtMs) {
    await delay(EVERY_MS)
    await until(() => existsSync(logFile))
    move()
  }
  const { failed } = await requests.stop()
  const { logLines } = await stack.stop()
  assert.equal(failed, 0, `${failed} requests failed`)
  assert.equal(logLines?.delivered, logLines?.emitted)
  return logLines?.emitted ?? 0
}

/** Removes a log file. @returns the numbers of the lines that were in the file at that moment */
function removeFile(file: string): number[] {
  const descriptor = openSync(file, 'r')
  rmSync(file)
  const bytes = Buffer.alloc(fstatSync(descriptor).size)
  readSync(descriptor, bytes)
  closeSync(descriptor)
  return readNumbers(bytes.toString())
}

const sorted = (numbers: ReadonlySet<number>) => [...numbers].sort((a, b) => a - b)
