import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseOptions } from '../../lib/cli/command-line.ts'
import { commands } from '../commands/index.ts'
import { repeatCommand } from '../outcome/results.ts'
import { selectRows } from '../sample/rows.ts'
import { readPublished } from './results.fixture.ts'

const GONE = /^--(arrivals|narrow)=/

/** Parses the line with the options of its command, less those that only the commit of the run has. */
function parse(line: string) {
  const [command = '', ...flags] = line.replace('npm run loadtest -- ', '').split(' ')
  const { options } = commands[command] as (typeof commands)[string]
  return {
    command,
    values: parseOptions(
      options,
      flags.filter(flag => !GONE.test(flag)),
    ).values,
  }
}

describe('the command to repeat', () => {
  for (const name of ['ladder', 'page', 'isolation'] as const) {
    test(`selects the same rows as the published run ${name}, and measures them as it did`, () => {
      const results = readPublished(name)
      const { command, values } = parse(repeatCommand(results))
      assert.equal(command, results.settings.command)
      const names = selectRows(values.steps, values.step, values).map(row => row.name)
      assert.deepEqual(
        names,
        results.steps.map(row => row.name.replace(/ at .*/, '')),
      )
      assert.equal(values.seed, results.settings.seed)
      assert.equal(values.warmupMs, results.settings.warmupSeconds * 1000)
      assert.equal(values.durationMs, results.settings.durationSeconds * 1000)
    })
  }

  test('names a load, and what stands beside', () => {
    assert.deepEqual(parse(repeatCommand(readPublished('ladderAt30'))).values.loadPercent, [30])
    assert.equal(parse(repeatCommand(readPublished('isolation'))).values.beside, 'cpu')
    assert.equal(parse(repeatCommand(readPublished('aa'))).values.step, 'framework')
  })
})
