import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pypiCommand } from '../../tools/pypi.ts'
import type { Fault } from '../fault.ts'
import { startLoggingStack } from '../logging-stack.ts'

const tool = pypiCommand('schemathesis', '4.32.5')
const FULL_SECONDS = 120
/** A full run also tries the limits of every parameter. `max-examples` is the number of cases of each operation and phase. */
const inFull = ['--phases=coverage,fuzzing', '--max-examples=40']
const inShort = ['--phases=fuzzing', '--max-examples=8']

/**
 * Statuses with which a request that is not as the document says may be refused. 414 is among them, because a query with many
 * wrong values can be longer than a URL may be, which is found before its values are read; 503 is, because an overloaded service
 * refuses before it reads anything.
 */
const CONFIGURATION = `[checks.negative_data_rejection]
expected-statuses = [400, 404, 405, 406, 413, 414, 415, 431, 503]
`

const run = promisify(execFile)

/** Makes valid and invalid requests from our OpenAPI document. The answers must be as the document says. */
export const schemathesis: Fault = {
  name: 'requests that schemathesis makes from the OpenAPI document',
  seconds: FULL_SECONDS,
  needs: tool.findMissing,
  async run(directory, seconds, { seed }) {
    const stack = await startLoggingStack(directory)
    try {
      await writeFile(join(directory, 'schemathesis.toml'), CONFIGURATION)
      const amount = seconds < FULL_SECONDS ? inShort : inFull
      const url = `${stack.address('app')}/openapi.json`
      const flags = ['--no-color', '--workers=4', '--warnings=off', `--seed=${seed}`]
      const { stdout } = await run(tool.command, ['run', url, ...flags, ...amount], {
        cwd: directory,
        maxBuffer: 2 ** 26,
      }).catch(({ stdout: said }) => {
        throw new Error(said)
      })
      return `${/\d+ generated, \d+ passed/.exec(stdout)?.[0]} with seed ${seed}`
    } finally {
      await stack.stop()
    }
  },
}
