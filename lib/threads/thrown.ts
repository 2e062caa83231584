import { inspect, types } from 'node:util'

/** What was thrown, as plain data that a message between threads can contain. */
export interface Thrown {
  readonly message: string
  readonly stack: string | undefined
  /** The name of an error, such as `TypeError`. */
  readonly name?: string | undefined
  /** The other fields, such as `code`, as far as a message can contain them. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined
  /** The cause, if that is an error. Any other cause is one of the fields. */
  readonly cause?: Thrown | undefined
}

const MAX_CAUSES = 8
const MAX_FIELDS = 64
/** Fields that `Object.keys` does not list for every error, because a class or Node.js defines them. */
const HIDDEN_FIELDS = ['code', 'errors', 'cause']
const OWN_PLACES = ['name', 'message', 'stack']

/**
 * Describes what the code of others has thrown, which may be any value. It never throws, not even for a revoked proxy or an
 * error whose getters throw.
 */
export function describeThrown(thrown: unknown, causes = MAX_CAUSES): Thrown {
  if (!isObject(thrown)) return { message: String(thrown), stack: undefined }
  const read = (field: string) => attempt(() => (thrown as Record<string, unknown>)[field])
  const fields = Object.fromEntries(
    [...new Set([...fieldsOf(thrown), ...HIDDEN_FIELDS])].map(field => [field, read(field)]),
  )
  const cause = isError(fields.cause) ? fields.cause : undefined
  if (cause) delete fields.cause
  return {
    name: textOf(read('name')),
    message: textOf(read('message')) ?? show(isError(thrown) ? read('message') : thrown),
    stack: textOf(read('stack')),
    fields: cloneFields(fields),
    cause: cause && causes > 0 ? describeThrown(cause, causes - 1) : undefined,
  }
}

/** The stack of what was thrown, or its text if it has none. */
export function stackOf(thrown: unknown): string {
  const { message, stack } = describeThrown(thrown, 0)
  return stack || message
}

const classes = [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]

/** The error that `describeThrown` was given, or an error with the text and the fields of another value. */
export function toError({ name = 'Error', message, stack, fields, cause }: Thrown): Error {
  const Class = classes.find(({ prototype }) => prototype.name === name) ?? Error
  const error = new Class(message, cause && { cause: toError(cause) })
  const define = (field: string, value: unknown, enumerable: boolean) =>
    Object.defineProperty(error, field, { value, enumerable, writable: true, configurable: true })
  if (error.name !== name) define('name', name, false)
  define('stack', stack ?? `${name}: ${message}`, false)
  for (const [field, value] of Object.entries(fields ?? {})) define(field, value, true)
  return error
}

export const errorOf = (thrown: unknown): Error =>
  isError(thrown) ? thrown : toError(describeThrown(thrown))

function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Whether this is an error, also one of another realm such as `node:vm`. */
const isError = (value: unknown): value is Error =>
  types.isNativeError(value) || attempt(() => value instanceof Error) === true

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

const fieldsOf = (thrown: object): readonly string[] =>
  (attempt(() => Object.keys(thrown)) ?? []).filter(field => !OWN_PLACES.includes(field)).slice(0, MAX_FIELDS)

/** Without the fields that no message can contain; undefined if none is left. */
function cloneFields(fields: Readonly<Record<string, unknown>>): Thrown['fields'] {
  const cloned = Object.entries(fields)
    .map(([field, value]) => [field, attempt(() => structuredClone(value))] as const)
    .filter(([, value]) => value !== undefined)
  return cloned.length > 0 ? Object.fromEntries(cloned) : undefined
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** A value as `inspect` shows it, without calling its own function for that. */
const show = (value: unknown): string =>
  attempt(() => inspect(value, { customInspect: false, depth: 1, breakLength: Number.POSITIVE_INFINITY })) ??
  'a value that cannot be shown'

/** Why no message can contain a value, or a part of one, such as a function; undefined if one can. */
export function findCloneError(value: unknown): Error | undefined {
  try {
    structuredClone(value)
    return undefined
  } catch (thrown) {
    // A getter of the value may have thrown anything.
    return errorOf(thrown)
  }
}

/** An error that the app knows by its code, also after it was made in another thread. */
export class CodedError<Code extends string = string> extends Error {
  readonly code: Code

  constructor(code: Code, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** Whether `await` waits for this: promises, and what a library offers in their place. It never throws. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false
  try {
    return typeof (value as { readonly then?: unknown }).then === 'function'
  } catch {
    return false
  }
}
