import ordersSchema from '../../orders/orders.schema.json' with { type: 'json' }

/** Where in the document the schemas of the orders service stand. */
const COMPONENTS = '#/components/schemas/'

export const orderSchemas = toOpenApi(ordersSchema.definitions) as Readonly<Record<string, object>>

/**
 * A schema as OpenAPI 3.1 has it, which is JSON Schema 2020-12: `nullable` is a type there, and references lead to the
 * components. What we answer always has every property, and no other.
 */
export function toOpenApi(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toOpenApi)
  if (!isObject(schema)) return schema
  const { nullable, type, $ref, ...rest } = schema as Readonly<Record<string, unknown>>
  const { properties } = rest
  return {
    ...(typeof $ref === 'string' && { $ref: $ref.replace(/^.*\//, COMPONENTS) }),
    ...(type !== undefined && { type: nullable ? [type, 'null'] : toOpenApi(type) }),
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, toOpenApi(value)])),
    ...(isObject(properties) &&
      type === 'object' && { required: Object.keys(properties), additionalProperties: false }),
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
