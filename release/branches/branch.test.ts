import assert from 'node:assert/strict'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type Composition, type Concern, concerns, namesOf } from '../../app/concerns.ts'
import { findAbsent } from './absent.fixture.ts'
import { Repository, textOf } from './git.ts'
import { sizeOf } from './sizes.ts'
import { commitSteps } from './update.ts'

const repository = new Repository(join(import.meta.dirname, '../..'))
const whole = repository.readTree('HEAD')
const branches = commitSteps(repository, repository.run(['rev-parse', 'HEAD']))
const fileOf = (concern: Concern, name: string) => `app/concerns/${concern}/${name}.ts`

/** Some files and packages, each with the compositions that need it: a step has it only if its composition does. */
const needed: Readonly<Record<string, (composition: Composition) => boolean>> = {
  express: ({ framework }) => framework === 'express',
  fastify: ({ framework }) => framework === 'fastify',
  'app/answers/in-thread.ts': ({ upstream }) => upstream === 'threads',
  'workers/thread.ts': ({ compute }) => compute === 'threads',
  // Fastify depends on it, too.
  'fast-json-stringify': ({ serialization, framework }) =>
    serialization !== 'native' || framework === 'fastify',
  winston: ({ logging }) => logging === 'winston',
  'logger-transport/main.ts': ({ logging }) => logging === 'sidecar',
  '@opentelemetry/instrumentation-http': ({ apm }) => apm === 'opentelemetry',
  'apm-agent/main-thread/recording.ts': ({ apm }) => apm === 'sidecar',
  'render/thread.ts': ({ rendering }) => rendering === 'threads',
}

/** The files that a script names: `node test/main.ts --long`. */
const scriptFiles = (script: string): string[] =>
  script.startsWith('node ')
    ? [...script.matchAll(/[ =](?:\.\/)?([\w./-]+\.ts)(?= |$)/g)].map(([, file]) => file as string)
    : []

for (const { step, tree } of branches) {
  describe(`the branch of step ${step.number}, ${step.name}`, () => {
    const { packages } = JSON.parse(textOf(tree, 'package-lock.json'))
    const has = (name: string) => tree.has(name) || `node_modules/${name}` in packages

    test('has its implementations, and no other', () => {
      for (const concern of concerns) {
        const files = namesOf(concern).map(name => fileOf(concern, name))
        const here = files.filter(path => tree.has(path))
        assert.deepEqual(here, [fileOf(concern, step.composition[concern])])
      }
    })

    test('has only the processes and packages that it uses', () => {
      const names = Object.keys(needed)
      assert.deepEqual(
        names.filter(has),
        names.filter(name => needed[name]?.(step.composition)),
      )
    })

    test('has no source that Node.js cannot read', () => {
      for (const path of tree.keys())
        if (path.endsWith('.ts')) assert.doesNotThrow(() => stripTypeScriptTypes(textOf(tree, path)), path)
    })

    test('names no package and no file that it lacks', () => {
      assert.deepEqual(findAbsent(whole, tree), [])
    })

    test('has the test of the running service, and not the suites that compare implementations', () => {
      const tests = [...tree.keys()].filter(path => /\.test\.tsx?$|\.fixture\./.test(path))
      assert.deepEqual(tests, ['stack/start.test.ts'])
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
  const { tree } = branches[0] as (typeof branches)[0]
  const spoil = (path: string, text: string) =>
    findAbsent(whole, new Map(tree).set(path, { mode: '100644', content: Buffer.from(text) }))
  assert.deepEqual(spoil('README.md', 'unlike Fastify,'), ['README.md names fastify'])
  assert.deepEqual(spoil('lib/threads/hang.ts', '// docs/method.md has it.'), [
    'lib/threads/hang.ts names docs/method.md',
  ])
  assert.deepEqual(spoil('stack/main.ts', '/** See v8-flags.ts. */'), [])
  assert.deepEqual(spoil('app/concerns/compute/contract.ts', '// as threads.ts does'), [
    'app/concerns/compute/contract.ts names threads.ts',
  ])
})

/** The most lines that a step may add. */
const SLIDE_LINES = 150

test('every branch fits in one head, and every slide on a slide', () => {
  const sizes = branches.map(branch => sizeOf(repository, branch))
  const [first, last] = [sizes[0], sizes.at(-1)]
  assert.ok(first && first.files <= 100 && first.lines <= 4750, JSON.stringify(first))
  assert.ok(last && last.files <= 210 && last.lines <= 15_500, JSON.stringify(last))
  const tooLarge = sizes.filter(({ slide }) => (slide?.insertions ?? 0) > SLIDE_LINES)
  assert.deepEqual(tooLarge, [])
})
