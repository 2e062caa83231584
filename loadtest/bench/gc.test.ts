import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderColumns } from '../../lib/cli/columns.ts'
import { caseNames, measureCase, readTrace, renderGc } from './gc.ts'

describe('the bench of garbage collection', () => {
  test('adds up the phases of all collections of a trace', () => {
    const line = (fields: object) => `[1:0x2]       30 ms: GC: ${JSON.stringify(fields)}`
    const trace = [
      line({ gc: 's', scavenge: 3, 'scavenge.roots': 1 }),
      line({ gc: 'mc', mark: 1, incremental: 4, evacuate: 2 }),
      line({ gc: 's', scavenge: 2 }),
      'documents 40',
    ]
    assert.deepEqual(readTrace(trace.join('\n')), {
      documents: 40,
      spentMs: { mark: 5, evacuate: 2, scavenge: 5 },
    })
    assert.throws(() => readTrace('documents 40\n'), /a trace of garbage collections was expected/)
    assert.throws(() => readTrace(trace[0] as string), /a trace of garbage collections was expected/)
  })

  test('reads the traces of this Node.js', async () => {
    assert.ok((await measureCase('scavenge, shared', 300)) > 0)
  })

  test("puts the ratio of each phase beside the talk's", () => {
    const samples = Object.fromEntries(
      caseNames.map(name => [name, name.endsWith('alone') ? [4, 4] : [1, 1]]),
    )
    const lines = renderGc(samples, renderColumns).split('\n')
    assert.match(lines[1] ?? '', /^mark +1\.00 +4\.00 +0\.25\b.* 0\.7$/)
  })
})
