import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cases } from './react-parity.fixture.ts'
import type { Sides } from './render-both-ways.fixture.ts'

const file = fileURLToPath(new URL('./render-both-ways.fixture.ts', import.meta.url))

for (const NODE_ENV of ['development', 'production'])
  describe(`in ${NODE_ENV}, a thread and the main thread are equal`, async () => {
    const run = promisify(execFile)(process.execPath, [file], {
      env: { ...process.env, NODE_ENV },
      maxBuffer: 2 ** 26,
    })
    const sides = run.then(({ stdout }): Record<string, Sides> => JSON.parse(stdout))
    for (const name of Object.keys(cases))
      test(name, async () => {
        const { thread, main } = (await sides)[name] as Sides
        assert.deepEqual(thread, main)
        assert.ok(main.html || main.errors.length > 0 || name.includes('without content'))
      })
  })
