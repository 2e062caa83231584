import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { testPromise } from '../../app/test-options.fixture.ts'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { installed } from './install.ts'
import { linePromises } from './logging/promises.ts'

const LINES = 1000

const skip = installed() ? false : 'the peers are not installed; `npm run loadtest -- peers` does that'

describe('a process that ends right after it has logged', { skip }, () => {
  for (const [name, { exit, killed }] of Object.entries(linePromises))
    for (const [how, loss] of [
      ['exit', exit],
      ['SIGKILL', killed],
    ] as const)
      testPromise(`loses no line of logging/${name}, with ${how}`, loss, async t => {
        const directory = temporaryDirectory(t)
        const file = join(import.meta.dirname, 'logging-end.fixture.ts')
        const places = [join(directory, 'app.log'), join(directory, 'segments')]
        await once(
          spawn(process.execPath, [file, name, how, `${LINES}`, ...places], { stdio: 'ignore' }),
          'exit',
        )
        assert.equal(countLines(directory), LINES)
      })
})

/** Number of the lines in all files of a directory. */
const countLines = (directory: string): number =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .flatMap(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8').split('\n'))
    .filter(line => line.includes('a line')).length
