import assert from 'node:assert/strict'
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { installed } from './install.ts'
import { linePromises, type Stalled } from './logging/promises.ts'

/** Half of the lines that the fixture writes. */
const GROWN_MIB = 16
/** A thread that sleeps at so many looks in turn, without any CPU time between them, waits for its destination. */
const LOOKS = 25
const LOOK_MS = 20

const skip = !installed()
  ? 'the peers are not installed; `npm run loadtest -- peers` does that'
  : process.platform === 'linux'
    ? false
    : 'Linux alone tells what a thread waits for'

describe('while the destination takes nothing', { skip }, () => {
  for (const [name, { stalled }] of Object.entries(linePromises))
    test(`logging/${name}: ${stalled}`, async t => {
      const directory = temporaryDirectory(t)
      assert.equal(await logTo(directory, name), stalled)
    })
})

/** Lets a process log into a pipe that nobody reads. */
async function logTo(directory: string, name: string): Promise<Stalled | 'kept'> {
  const pipe = join(directory, 'app.log')
  // The second one is the file of pino-roll.
  const pipes = [pipe, `${pipe}.roll.1`]
  execFileSync('mkfifo', pipes)
  const readers = pipes.map(path => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK))
  const file = join(import.meta.dirname, 'logging-stalled.fixture.ts')
  const execArgv = ['--experimental-test-module-mocks', '--no-warnings']
  const logging = fork(file, [name, pipe, join(directory, 'segments')], { execArgv })
  const exit = once(logging, 'exit')
  try {
    const ended = exit.then(([code]) => assert.fail(`the process ended with ${code}`))
    await Promise.race([once(logging, 'message'), ended])
    const written = once(logging, 'message').then(([report]) => outcomeOf(report))
    return await Promise.race([written, ended, untilWaiting(logging.pid as number)])
  } finally {
    logging.kill('SIGKILL')
    await exit
    readers.forEach(closeSync)
  }
}

function outcomeOf({ dropped, grownMiB }: { readonly dropped: number; readonly grownMiB: number }) {
  if (dropped > 0) return 'dropped and counted'
  return grownMiB > GROWN_MIB ? 'memory grows' : 'kept'
}

/** Resolves when the main thread of a process does nothing any more, although it has lines to write. */
async function untilWaiting(pid: number): Promise<Stalled> {
  for (let asleep = 0, last = ''; asleep < LOOKS; ) {
    await delay(LOOK_MS)
    const [state, ...fields] =
      readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const cpuTime = fields.slice(10, 12).join()
    asleep = state === 'S' && cpuTime === last ? asleep + 1 : 0
    last = cpuTime
  }
  return 'the service waits'
}
