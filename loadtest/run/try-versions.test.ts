import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UserError } from '../../lib/cli/user-error.ts'
import { onVersions, selectRows } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import type { SampleSettings } from '../sample/settings.ts'
import { tryVersions } from './try-versions.ts'

const { signal } = new AbortController()
const version = (version: string, lacks: string | null = null) => ({ version, v8: '1', lacks })
const own = process.versions.node

/** Plans two steps on these versions; the apps of `broken` do not start. */
function plan(versions: ReturnType<typeof version>[], broken: readonly string[] = []) {
  const tried: string[] = []
  const rows = onVersions(selectRows('0,1', undefined, {}), versions)
  const take = async ({ name, node }: (typeof rows)[number]) => {
    tried.push(name)
    if (!broken.includes(node?.version ?? '')) return { valid: true, reason: null, goodput: 1 } as Sample
    throw new UserError(
      'app did not start: file.ts:1\n  const a\n        ^\nTypeError: a is not a function\n    at b',
    )
  }
  return { tried, planned: tryVersions(rows, {} as SampleSettings, signal, take) }
}

describe('versions of Node.js', () => {
  test('are tried before the run, except the one that runs the load test', async () => {
    const { tried, planned } = plan([version('22.1.0'), version(own), version('21.0.0', 'it is old')])
    const rows = await planned
    assert.deepEqual(tried, ['monolith+node=22.1.0', 'compute+node=22.1.0'])
    assert.deepEqual(
      rows.map(({ didNotRun }) => didNotRun),
      [undefined, undefined, 'it is old', undefined, undefined, 'it is old'],
    )
  })

  test('that do not run the app stay as rows with one line of reason, and are no baseline', async () => {
    const rows = await plan([version('22.1.0'), version(own)], ['22.1.0']).planned
    assert.deepEqual(
      rows.map(({ didNotRun, baseline }) => [didNotRun, baseline]),
      [
        ['TypeError: a is not a function', `monolith+node=${own}`],
        [undefined, `monolith+node=${own}`],
        ['TypeError: a is not a function', `compute+node=${own}`],
        [undefined, `compute+node=${own}`],
      ],
    )
  })

  test('end the run when none of them runs the app', async () => {
    await assert.rejects(
      plan([version('22.1.0')], ['22.1.0']).planned,
      /on none of these versions: 22.1.0: TypeError/,
    )
  })

  test('are not tried in a plan without them', async () => {
    const without = selectRows('0', undefined, {})
    assert.equal(await tryVersions(without, {} as SampleSettings, signal), without)
  })
})
