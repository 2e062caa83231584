import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { concerns } from '../../app/concerns.ts'
import { firstStep, lastStep, steps } from '../../app/steps.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { ablated, atLoads, atRates, handicapped, twice } from './compared-rows.ts'
import { withWindowFor } from './generate-load.ts'
import { onVersions, selectRow, selectRows } from './rows.ts'

const namesFor = (list?: string) => selectRows(list, undefined, {}).map(({ name }) => name)

describe('the rows', () => {
  test('are all the steps when nothing is asked', () => {
    assert.deepEqual(
      selectRows(undefined, undefined, {}),
      steps.map(({ number, name, composition }) => ({ number, name, composition })),
    )
  })

  test('are those of a list of numbers, ranges and names', () => {
    assert.deepEqual(namesFor('0-2'), ['monolith', 'compute', 'serialization'])
    assert.deepEqual(namesFor('framework,0'), ['framework', 'monolith'])
    assert.deepEqual(namesFor('monolith-compute,3,1,0-1'), ['monolith', 'compute', 'framework'])
  })

  test('are every combination of the alternatives to one step', () => {
    const rows = selectRows(undefined, 'framework', {
      compute: ['inline', 'threads'],
      apm: ['none', 'opentelemetry'],
    })
    assert.deepEqual(
      rows.map(({ number, name }) => [number, name]),
      [
        [null, 'framework+compute=inline+apm=none'],
        [null, 'framework+compute=inline+apm=opentelemetry'],
        [null, 'framework+compute=threads+apm=none'],
        [3, 'framework+compute=threads+apm=opentelemetry'],
      ],
    )
    assert.deepEqual(rows[0]?.composition, { ...steps[3]?.composition, compute: 'inline', apm: 'none' })
  })

  test('can be one row only', () => {
    assert.equal(selectRow(undefined, {}).number, steps.length - 1)
    assert.equal(selectRow('0', { compute: ['threads'] }).name, 'monolith+compute=threads')
    assert.throws(() => selectRow('0', { compute: ['inline', 'threads'] }), /one row is expected, not 2/)
  })

  test('can be on several versions of Node.js, each against the same step on the first', () => {
    const nodes = ['22.1.0', '24.2.0', '26.2.0'].map(version => ({ version }))
    const rows = onVersions(selectRows('0,3', undefined, {}), nodes)
    assert.deepEqual(
      rows.slice(0, 3).map(({ name }) => name),
      ['monolith+node=22.1.0', 'monolith+node=24.2.0', 'monolith+node=26.2.0'],
    )
    assert.deepEqual(
      rows.map(({ baseline }) => baseline),
      ['monolith', 'monolith', 'monolith', 'framework', 'framework', 'framework'].map(
        name => `${name}+node=22.1.0`,
      ),
    )
    assert.deepEqual(rows[1]?.node, { version: '24.2.0' })
  })

  test('can be one row twice, with a handicap, or at several rates', () => {
    const row = selectRow('framework', {})
    assert.deepEqual(twice(row), [row, { ...row, name: 'framework again' }])
    assert.deepEqual(handicapped(row, 3), [
      row,
      { ...row, number: null, name: 'framework+handicap=3%', app: { handicapPercent: 3 } },
    ])
    assert.deepEqual(
      atRates([row], [10, 20]).map(({ name, ratePerSecond }) => [name, ratePerSecond]),
      [
        ['framework at 10/s', 10],
        ['framework at 20/s', 20],
      ],
    )
  })

  test('can differ in what the app does when it is overloaded', () => {
    const rows = selectRows('1', undefined, { overload: ['none', 'refuse'] })
    assert.deepEqual(
      rows.map(({ name, app }) => [name, app]),
      [
        ['compute+overload=none', { overload: 'none' }],
        ['compute+overload=refuse', { overload: 'refuse' }],
      ],
    )
  })

  const mistakes: readonly [Parameters<typeof selectRows>, RegExp][] = [
    [['9', undefined, {}], /no step "9"; the steps are 0 monolith/],
    [['0-', undefined, {}], /no step ""/],
    [['2-1', undefined, {}], /counts upwards/],
    [['0-1-2', undefined, {}], /ranges such as 0-2/],
    [[undefined, 'nowhere', {}], /no step "nowhere"/],
    [['0', '1', {}], /exclude each other/],
    [['0', undefined, { compute: ['inline'] }], /name the step with --step/],
  ]
  for (const [args, message] of mistakes) {
    test(`answer ${JSON.stringify(args)} with one line`, () => {
      assert.throws(
        () => selectRows(...args),
        (error: unknown) => error instanceof UserError && message.test(error.message),
      )
    })
  }

  test('of an ablation are the last step and it with each concern put back alone', () => {
    const [first, ...others] = ablated(lastStep)
    assert.deepEqual([first?.name, first?.number], [lastStep.name, steps.length - 1])
    assert.deepEqual(
      others.map(({ name }) => name),
      concerns.map(concern => `${lastStep.name}+${concern}=${firstStep.composition[concern]}`),
    )
  })

  test('have a window at a low rate in which 500 requests are due, also if they are compared with no other', () => {
    const row = selectRow(undefined, {})
    const loads = [10, 1000].map(ratePerSecond => ({ name: `${ratePerSecond}/s`, ratePerSecond }))
    const secondsOf = (each: typeof row) => withWindowFor(each, { durationSeconds: 4 }).durationSeconds
    assert.deepEqual(atRates([row], [10, 1000]).map(secondsOf), [50, 4])
    assert.deepEqual(atLoads([row], loads).map(secondsOf), [50, 4])
    assert.equal(secondsOf(row), 4)
  })
})
