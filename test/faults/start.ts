import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { listen } from '../../lib/http/listen.ts'
import { runCommand } from '../run-command.ts'
import { PORT_OPTIONS, placeFlags } from '../stack-parts.ts'
import type { Fault } from './fault.ts'

/** A place below a file, in the directory of the fault. */
const BELOW = 'a-file/below/it'

/** Options with a value that cannot work, by default a port that is taken, and the one line that says so. */
const mistakes: readonly { readonly flag: string; readonly value?: string; readonly says: RegExp }[] = [
  ...PORT_OPTIONS.map(flag => ({
    flag,
    says: new RegExp(`did not start: cannot listen on .* \\(EADDRINUSE\\); choose another with --${flag}$`),
  })),
  ...['log-dir', 'log-file', 'apm-socket'].map(flag => ({
    flag,
    value: BELOW,
    says: new RegExp(`did not start: cannot .*a-file.*--${flag}$`),
  })),
  {
    flag: 'log-targets',
    value: 'otlp',
    says: /^error: --log-targets otlp needs a receiver; name it with --collector-url/,
  },
]

/** Starts with a mistake. */
export const startFaults: readonly Fault[] = [
  {
    name: 'starts that cannot work',
    seconds: 0,
    async run(directory, _seconds, { progress }) {
      const taken: Server[] = []
      async function takePort(): Promise<string> {
        taken.push(createServer())
        return new URL(await listen(taken.at(-1) as Server, '127.0.0.1', 0)).port
      }
      writeFileSync(join(directory, 'a-file'), '')
      for (const { flag, value, says } of mistakes) {
        const given = value === BELOW ? join(directory, BELOW) : (value ?? (await takePort()))
        const flags = [...placeFlags(directory), `--${flag}=${given}`]
        const { stderr, stdout, code } = await runCommand('stack/main.ts', flags)
        assert.deepEqual([code, stdout, stderr.split('\n').length], [1, '', 2], `--${flag}: ${stderr}`)
        assert.match(stderr.trimEnd(), says, flag)
        progress(`--${flag}`)
      }
      for (const server of taken) server.close()
      return `${mistakes.length} mistakes, each one line that names the option, and exit code 1`
    },
  },
]
