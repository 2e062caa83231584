import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { findFreePort, listen } from '../../lib/http/listen.ts'
import { launchCommand, runCommand } from '../run-command.ts'
import { PORT_OPTIONS, placeFlags } from '../stack-parts.ts'
import type { Fault } from './fault.ts'

/** A mistake in a command line: it must lead to one line and exit code 1. */
interface Mistake {
  readonly name: string
  /** @returns flags that cannot work */
  flags(place: Place): Promise<readonly string[]> | readonly string[]
  readonly says: RegExp
}

interface Place {
  readonly directory: string
  /** Flags that work. */
  readonly where: readonly string[]
  takePort(): Promise<number>
}

const mistakes: readonly Mistake[] = [
  ...PORT_OPTIONS.map(flag => ({
    name: `--${flag} is taken`,
    flags: async ({ where, takePort }: Place) => [...where, `--${flag}=${await takePort()}`],
    says: new RegExp(`did not start: cannot listen on .* \\(EADDRINUSE\\); choose another with --${flag}$`),
  })),
  ...['log-dir', 'log-file', 'apm-socket'].map(flag => ({
    name: `--${flag} leads below a file`,
    flags({ directory, where }: Place) {
      const file = join(directory, 'a-file')
      writeFileSync(file, '')
      return [...where, `--${flag}=${join(file, 'below', 'it')}`]
    },
    says: new RegExp(`did not start: cannot .*a-file.*--${flag}$`),
  })),
  {
    name: 'log lines to a receiver that is not named',
    flags: ({ where }) => [...where, '--log-targets=otlp'],
    says: /^error: --log-targets otlp needs a receiver; name it with --collector-url/,
  },
]

/** Starts with a mistake, and a start without an upstream. */
export const startFaults: readonly Fault[] = [
  {
    name: 'starts that cannot work',
    seconds: 0,
    async run(directory, _seconds, { progress }) {
      const taken: Server[] = []
      const place: Place = {
        directory,
        where: placeFlags(directory),
        async takePort() {
          const server = createServer()
          taken.push(server)
          return Number(new URL(await listen(server, '127.0.0.1', 0)).port)
        },
      }
      for (const { name, flags, says } of mistakes) {
        const { stderr, stdout, code } = await runCommand('stack/main.ts', await flags(place))
        assert.deepEqual([code, stdout, stderr.split('\n').length], [1, '', 2], `${name}: ${stderr}`)
        assert.match(stderr.trimEnd(), says, name)
        progress(name)
      }
      for (const server of taken) server.close()
      return `${mistakes.length} mistakes, each one line that names the option, and exit code 1`
    },
  },
  {
    name: 'an upstream that is not there',
    seconds: 0,
    async run(directory) {
      const nowhere = `http://127.0.0.1:${await findFreePort()}`
      const flags = ['--apm', 'none', '--port=0', '--admin-port=0', '--log-dir', directory]
      const app = launchCommand('app/main.ts', [...flags, '--orders-url', nowhere])
      const url = (await app.line(/\(http\)/)).split(' ').at(-2)
      assert.equal((await fetch(`${url}/hello`)).status, 200)
      assert.equal((await fetch(`${url}/demo`)).status, 502)
      app.child.kill('SIGTERM')
      assert.deepEqual(await app.ended, [0, null])
      return 'what does not need it is served, the rest is 502'
    },
  },
]
