import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { followSegments } from './follow.ts'
import { countLines, createMetrics } from './metrics.ts'
import { fieldsOf } from './record.ts'
import type { Target } from './targets/contract.ts'

const SEGMENTS = join(import.meta.dirname, 'main-thread/index.ts')

/** The ends of a process that runs nothing more. In the second, a batch is on its way to the disk. */
const ends: Readonly<Record<string, string>> = {
  'process.exit()': 'process.exit()',
  'process.exit() in a write':
    'setTimeout(() => { write(7); process.exit() }, 100); while (performance.now() < 150);',
  'an error that nobody catches': 'throw new Error("bug")',
}

for (const [end, code] of Object.entries(ends)) {
  test(`a process that ends by ${end} leaves each line once`, async t => {
    const directory = mkdtempSync(join(tmpdir(), 'abrupt-end-'))
    t.after(() => rmSync(directory, { recursive: true }))
    const program = `
      import { segments } from ${JSON.stringify(SEGMENTS)}
      const lines = segments({ directory: ${JSON.stringify(directory)} })
      const write = line => lines.write(JSON.stringify({ line }) + '\\n')
      for (let line = 1; line <= 6; line++) write(line)
      ${code}`
    try {
      execFileSync(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'pipe' })
    } catch (error) {
      assert.match((error as Error).message, /Error: bug/)
    }
    const delivered: unknown[] = []
    const target: Target = {
      name: 'one',
      deliver: async records => {
        delivered.push(...records.map(record => fieldsOf(record).line))
        return []
      },
      close: async () => {},
    }
    const metrics = createMetrics()
    await followSegments({
      logDirectory: directory,
      targets: [target],
      metrics,
      silentAfterMs: 60_000,
      finish: AbortSignal.abort(),
    })
    const lines = code.includes('write(7)') ? 7 : 6
    assert.deepEqual(
      delivered,
      Array.from({ length: lines }, (_, index) => index + 1),
    )
    assert.deepEqual(await countLines(metrics, [target]), {
      delivered: lines,
      dropped: 0,
      rejected: 0,
    })
  })
}
