import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { toFlags } from '../../lib/cli/command-line.ts'
import { FINISH_LIMIT_MS } from '../../logger-transport/options.ts'
import { logPlaces } from '../stack-parts.ts'
import type { Fault } from './fault.ts'

const TRANSPORT = join(import.meta.dirname, '../../logger-transport/main.ts')

/** What the writer of a pipe does while its reader is told to stop. */
const writers: Readonly<Record<string, string>> = {
  'is silent': 'setInterval(() => {}, 1000)',
  'writes without an end': `const more = () => process.stdout.write('{"level":"info"}\\n'.repeat(1000), more); more()`,
  'writes half a line': `process.stdout.write('{"level":'); setInterval(() => {}, 1000)`,
}

/** Faults that keep a process from ending when it gets SIGTERM. */
export const stopFaults: readonly Fault[] = Object.entries(writers).map(([name, program]) => ({
  name: `SIGTERM to a logger-transport whose pipe's writer lives and ${name}`,
  seconds: 0,
  company: 'many',
  async run(directory) {
    const flags = toFlags({ port: 0, ...logPlaces(directory) })
    const writer = spawn(process.execPath, ['--eval', program], { stdio: ['ignore', 'pipe', 'ignore'] })
    const transport = spawn(process.execPath, [TRANSPORT, ...flags], {
      stdio: [writer.stdout, 'ignore', 'pipe'],
    })
    try {
      await once(createInterface({ input: transport.stderr as Readable }), 'line')
      const startedAtMs = performance.now()
      transport.kill('SIGTERM')
      const [code] = await once(transport, 'exit')
      const stopMs = performance.now() - startedAtMs
      assert.equal(code, 0)
      assert.ok(stopMs < FINISH_LIMIT_MS + 5000, `it took ${stopMs.toFixed(0)} ms`)
      return `ended ${(stopMs / 1000).toFixed(1)} s after it`
    } finally {
      writer.kill('SIGKILL')
      transport.kill('SIGKILL')
    }
  },
}))
