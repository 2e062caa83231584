import ordersSchema from '../../../orders/orders.schema.json' with { type: 'json' }

/** The place of the schemas of the orders service in the document. */
const COMPONENTS = '#/components/schemas/'

export const orderSchemas = toOpenApi(ordersSchema.definitions) as Readonly<Record<string, object>>

/**
 * Converts a schema to OpenAPI 3.1, which uses JSON Schema 2020-12: `nullable` becomes a type, and references lead to
 * the components. Our answers always have every property and no other, so all properties are required.
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
