import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { problemCodes, statusOf } from '../../problems.ts'
import { createRoutes } from '../../routes.ts'
import { lastStep } from '../../steps.ts'
import { createFrontPage } from '../front-page.ts'
import { createOtherRoutes } from '../other-routes.ts'
import { createOpenApiRoute, describeRoutes } from './document.ts'

/** No route is asked here. */
const nothing = { logging: {}, compute: {}, upstream: {} } as never
const api = [
  createFrontPage(nothing, lastStep.composition),
  ...createRoutes(nothing),
  ...createOtherRoutes(nothing),
]
const routes = [...api, createOpenApiRoute(api)]
const document = JSON.parse(JSON.stringify(describeRoutes(routes)))
/** One character that takes two units of UTF-16. */
const WIDE = '😀'

interface Schema {
  readonly minimum: number
  readonly maximum: number
  readonly maxLength: number
  readonly enum: readonly string[]
}

/** Values that a schema allows, and values that it does not allow. */
const examples: Readonly<Record<string, (schema: Schema) => readonly [allowed: string[], others: string[]]>> =
  {
    integer: ({ minimum, maximum }) => [
      [minimum, maximum].map(String),
      [...[minimum - 1, maximum + 1].map(String), '1.5', 'x', ''],
    ],
    enum: schema => [[...schema.enum], ['', 'other', schema.enum.join()]],
    string: ({ maxLength }) => [['', WIDE.repeat(maxLength)], [WIDE.repeat(maxLength + 1)]],
  }

describe('the OpenAPI document', () => {
  test('is one of version 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    assert.ok(valid, JSON.stringify(errors))
    assert.equal(validator.version, '3.1')
  })

  test('has every route, and no other', () => {
    assert.deepEqual(
      Object.keys(document.paths),
      routes.map(({ path }) => path),
    )
  })

  test('names every problem with which a route can answer', () => {
    const { responses } = document.components
    const named = Object.values<{ content: Record<string, { schema: { properties: { code: Schema } } }> }>(
      responses,
    )
      .flatMap(({ content }) => Object.values(content))
      .flatMap(({ schema }) => schema.properties.code.enum)
    const others = problemCodes.filter(code => !named.includes(code))
    assert.deepEqual(others.map(statusOf).sort(), [404, 405, 499])
  })

  for (const { path, parameters } of routes) {
    test(`has the parameters of ${path} with the allowed values of each`, () => {
      const described: readonly { name: string; schema: Schema & { type: string; default?: unknown } }[] =
        document.paths[path].get.parameters
      assert.deepEqual(
        described.map(({ name }) => name),
        Object.keys(parameters),
      )
      for (const { name, schema } of described) {
        const option = parameters[name]
        const [allowed, others] = examples[schema.enum ? 'enum' : schema.type]?.(schema) ?? [[], []]
        for (const text of allowed) assert.notEqual(option?.parse(text), undefined, `${name}=${text}`)
        for (const text of others) assert.equal(option?.parse(text), undefined, `${name}=${text}`)
        assert.equal(schema.default, option?.parse(option.default ?? ''))
        assert.ok(allowed.length > 0)
      }
    })
  }
})
