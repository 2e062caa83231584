import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { commandWithDashes } from './npm-flags.ts'
import { duration, integer, text, toggle } from './options.ts'

const table = {
  load: integer({ min: 1, max: 9, help: '' }),
  steps: text({ placeholder: 'LIST', help: '' }),
  orderLatencyMs: duration({ help: '' }),
  quick: toggle({ help: '' }),
}

type Taken = Readonly<Record<string, string>>
const cases: readonly [script: string, args: readonly string[], taken: Taken, meant: string | undefined][] = [
  ['start', [], {}, undefined],
  ['start', ['50'], { load: 'true' }, 'npm start -- --load 50'],
  ['start', [], { load: '50' }, 'npm start -- --load 50'],
  ['start', ['--quick'], { order_latency: '5ms' }, 'npm start -- --quick --order-latency 5ms'],
  ['loadtest', ['aa'], { quick: 'true' }, 'npm run loadtest -- aa --quick'],
  ['loadtest', ['aa', '0-3'], { steps: 'true', quick: 'true' }, 'npm run loadtest -- aa --steps 0-3 --quick'],
  [
    'loadtest',
    ['2', '0-3'],
    { steps: 'true', load: 'true' },
    'npm run loadtest -- 2 0-3 --load N --steps LIST',
  ],
  ['loadtest', [], { steps: 'true' }, 'npm run loadtest -- --steps LIST'],
  ['loadtest', ['--quick'], { quick: 'true' }, undefined],
  ['loadtest', [], { quick: '' }, undefined],
  ['loadtest', [], { audit: 'true' }, undefined],
]

/** Makes the call with the environment that npm gives to the script `node FILE`. */
const meantBy = (event: string, script: string, args: readonly string[], taken: Taken) =>
  commandWithDashes(table, {
    file: `${process.cwd()}/stack/main.ts`,
    args,
    env: {
      npm_lifecycle_event: event,
      npm_lifecycle_script: script,
      ...Object.fromEntries(Object.entries(taken).map(([name, value]) => [`npm_config_${name}`, value])),
    },
  })

describe('flags that npm has taken', () => {
  for (const [event, args, taken, meant] of cases)
    test(`${JSON.stringify(taken)} with ${JSON.stringify(args)} give ${meant ?? 'no advice'}`, () =>
      assert.equal(meantBy(event, 'node stack/main.ts', args, taken), meant))

  test('are those of another script if that script has started this process', () =>
    assert.equal(meantBy('other', 'node other/main.ts', [], { quick: 'true' }), undefined))
})
