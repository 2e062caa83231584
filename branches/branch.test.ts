import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type Concern, concerns, namesOf } from '../app/concerns.ts'
import { steps } from '../app/steps.ts'
import { findAbsent } from './absent.ts'
import { treeOf } from './branch.ts'
import { Repository, textOf } from './git.ts'
import { scriptFiles } from './manifest.ts'
import { standIns } from './rules.ts'

const whole = new Repository(join(import.meta.dirname, '..')).readTree('HEAD')
const fileOf = (concern: Concern, name: string) => `app/concerns/${concern}/${name}.ts`

/** The files and packages that each step has and lacks, among the sidecars and the packages of the talk. */
const expected: Readonly<Record<string, { has: string[]; hasNot: string[] }>> = {
  monolith: {
    has: ['express', 'winston', '@opentelemetry/instrumentation-http'],
    hasNot: [
      'fastify',
      'fast-json-stringify',
      'piscina',
      'pino',
      'logger-transport/main.ts',
      'workers/thread.ts',
    ],
  },
  compute: { has: ['express', 'piscina', 'workers/thread.ts'], hasNot: ['fastify', 'fast-json-stringify'] },
  serialization: { has: ['express', 'fast-json-stringify'], hasNot: ['pino-pretty'] },
  framework: { has: ['fastify', 'winston'], hasNot: ['express', 'logger-transport/main.ts'] },
  logging: {
    has: ['fastify', 'pino-pretty', 'logger-transport/main.ts', 'logger-transport/segment-reader.test.ts'],
    hasNot: ['winston', 'apm-agent/main-thread/recording.ts'],
  },
  apm: {
    has: ['apm-agent/main-thread/recording.ts', 'apm-agent/main-thread/agent-link.test.ts'],
    hasNot: ['@opentelemetry/instrumentation-http', 'render/thread.ts'],
  },
  rendering: { has: ['render/thread.ts', 'workers/thread.ts'], hasNot: ['express', 'winston'] },
}

for (const step of steps) {
  describe(`the branch of step ${step.number}, ${step.name}`, () => {
    const { tree, left } = treeOf(whole, step)
    const { packages } = JSON.parse(textOf(tree, 'package-lock.json'))
    const has = (name: string) => tree.has(name) || `node_modules/${name}` in packages

    test('has its implementations, and no other', () => {
      for (const concern of concerns) {
        const files = namesOf(concern).map(name => fileOf(concern, name))
        const here = files.filter(path => tree.has(path) && !standIns.includes(path))
        assert.deepEqual(here, [fileOf(concern, step.composition[concern])])
      }
    })

    test('has only the processes and packages that it uses', () => {
      const { has: wanted, hasNot } = expected[step.name] as (typeof expected)[string]
      assert.deepEqual(
        wanted.filter(name => !has(name)),
        [],
      )
      assert.deepEqual(hasNot.filter(has), [])
    })

    test('names no package and no file that it lacks', () => {
      assert.deepEqual(findAbsent(whole, tree), [])
    })

    test('has the contract suite of every concern, and the commands that measure one step', () => {
      for (const concern of concerns)
        assert.ok(
          tree.has(`app/concerns/${concern}/contract.test.ts`),
          left.get(`app/concerns/${concern}/contract.test.ts`) ?? concern,
        )
      const commands = textOf(tree, 'loadtest/commands/index.ts')
      assert.deepEqual(commands.match(/(?<=from '\.\/)[\w-]+(?=\.ts)/g), [
        'aa',
        'compare',
        'gc',
        'isolation',
        'open',
        'run',
      ])
    })

    test('has no script without its file', () => {
      const { scripts } = JSON.parse(textOf(tree, 'package.json')) as { scripts: Record<string, string> }
      const missing = Object.values(scripts).flatMap(scriptFiles)
      assert.deepEqual(
        missing.filter(path => !tree.has(path)),
        [],
      )
      assert.ok(['start', 'test', 'loadtest', 'check'].every(name => scripts[name]))
    })
  })
}

test('names of absent packages and files are found, from the root or relative', () => {
  const [first] = steps
  const { tree } = treeOf(whole, first as (typeof steps)[0])
  const spoil = (path: string, text: string) =>
    findAbsent(whole, new Map(tree).set(path, { mode: '100644', content: Buffer.from(text) }))
  assert.deepEqual(spoil('README.md', 'unlike Fastify,'), ['README.md names fastify'])
  assert.deepEqual(spoil('lib/hang.ts', '// docs/method.md has it.'), ['lib/hang.ts names docs/method.md'])
  assert.deepEqual(spoil('stack/main.ts', '/** See permissions.ts. */'), [])
  assert.deepEqual(spoil('app/concerns/compute/contract.ts', '// as threads.ts does'), [
    'app/concerns/compute/contract.ts names threads.ts',
  ])
})
