import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstStep } from '../../app/steps.ts'
import { choose } from './names.ts'

test('a branch imports the implementation of its step, where main chooses one by options', () => {
  const main = `const { createApm } = await implementations.apm[composition.apm]()
const file = \`concerns/serialization/\${composition.serialization}.ts\`
const lazy = { express: since(0, () => import('./concerns/framework/express.ts')) }
`
  assert.equal(
    choose(main, firstStep),
    `const { createApm } = await import('./concerns/apm/opentelemetry.ts')
const file = 'concerns/serialization/native.ts'
const lazy = { express: () => import('./concerns/framework/express.ts') }
`,
  )
})
