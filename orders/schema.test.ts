import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import buildStringify from 'fast-json-stringify'
import protobuf from 'protobufjs'
import { OrderList } from './messages.ts'
import schema from './orders.schema.json' with { type: 'json' }

interface Definition {
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, Property>>
}
type Property = { type?: string; $ref?: string; items?: Property }

const definitions: Readonly<Record<string, Definition>> = { [schema.title]: schema, ...schema.definitions }
const { root } = protobuf.parse(readFileSync(join(import.meta.dirname, 'orders.proto'), 'utf8'))
const messages = root.nestedArray.filter(each => each instanceof protobuf.Type)

const jsonTypes: Record<string, string> = { uint32: 'integer', double: 'number', string: 'string' }

describe('orders.proto and orders.schema.json', () => {
  test('describe the same messages, with the same fields of matching types', () => {
    const asProto = messages.map(({ name, fieldsArray }) => [name, fieldsArray.map(fieldOf)])
    const asJson = Object.entries(definitions).map(([name, { properties }]) => [
      name,
      Object.entries(properties).map(([field, property]) => [field, typeOf(property)]),
    ])
    assert.deepEqual(asProto, asJson)
  })

  test('both require every field', () => {
    const required = Object.values(definitions).map(definition => definition.required)
    assert.deepEqual(
      required,
      messages.map(({ fieldsArray }) => fieldsArray.map(({ name }) => name)),
    )
  })
})

function fieldOf({ name, type, repeated }: protobuf.Field): [name: string, type: string] {
  return [name, `${repeated ? 'list of ' : ''}${jsonTypes[type] ?? type}`]
}

function typeOf({ type, $ref, items }: Property): string | undefined {
  if (items) return `list of ${typeOf(items)}`
  return $ref?.split('/').at(-1) ?? type
}

test('an order whose fields hold 0 and "" survives Protobuf, and JSON written by schema from it', () => {
  const details = { customer: '', product: '', city: '', status: '', placedAt: '' }
  const amounts = { quantity: 0, unitPrice: 0, discount: 0, tax: 0, total: 0 }
  const list = { orders: [{ id: 0, details, amounts }] }
  const message = OrderList.decode(OrderList.encode(list).finish())
  assert.deepEqual(JSON.parse(buildStringify(schema as object)(message)), list)
})
