import { types } from 'node:util'
import { errorOf, findCloneError, isThenable } from '../../lib/threads/thrown.ts'

/**
 * Why props cannot be sent to a thread as a page needs them, with the place of the value; undefined if they can. A promise among
 * them is sent when it settles. Instances of classes can be copied, but arrive without their methods.
 */
export function explainProps(props: object): TypeError | undefined {
  const seen = new Set<unknown>([props])
  try {
    for (const [name, value] of Object.entries(props)) {
      const found = isThenable(value) ? undefined : find(value, `props.${name}`, seen)
      if (found) return new TypeError(found)
    }
    return undefined
  } catch (thrown) {
    // A getter may throw anything.
    return new TypeError(`props cannot be read: ${errorOf(thrown).message}`)
  }
}

function find(value: unknown, path: string, seen: Set<unknown>): string | undefined {
  const simple = explainSimple(value)
  if (simple !== undefined) return simple && `${path} ${simple}`
  if (seen.has(value)) return undefined
  seen.add(value)
  const children = childrenOf(value as object)
  if (!children) return explainInstance(value as object, path)
  for (const [key, child] of children) {
    const found = find(child, `${path}${key}`, seen)
    if (found) return found
  }
  return undefined
}

/** @returns an empty text for a value that can be sent; undefined for an object that has to be looked into */
function explainSimple(value: unknown): string | undefined {
  if (typeof value === 'function') return 'is a function, which stays in its thread'
  if (typeof value === 'symbol') return 'is a symbol, which stays in its thread'
  if (typeof value !== 'object' || value === null || isCopiedWhole(value)) return ''
  if (types.isProxy(value)) return 'is a proxy: pass a copy of its data'
  if (isThenable(value)) return 'is a promise: only a property of props itself may be one'
  return '$$typeof' in value
    ? 'is an element of React: pass the data, from which the component makes it'
    : undefined
}

const isCopiedWhole = (value: object): boolean =>
  ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value) || types.isNativeError(value)

/** What is in a value that a thread gets as it is; undefined for an instance of another class. */
function childrenOf(value: object): Iterable<readonly [key: string, child: unknown]> | undefined {
  if (Array.isArray(value)) return value.entries().map(([index, child]) => [`[${index}]`, child])
  if (value instanceof Map)
    return value.entries().flatMap(([key, child]) => [
      [' has a key that', key],
      [`.get(${String(key)})`, child],
    ])
  if (value instanceof Set) return value.values().map(child => [' has a member that', child])
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
    ? Object.entries(value).map(([key, child]) => [`.${key}`, child])
    : undefined
}

function explainInstance(value: object, path: string): string | undefined {
  const error = findCloneError(value)
  const name = value.constructor?.name ?? 'a class'
  if (error) return `${path} cannot be copied to a thread: it is an instance of ${name} (${error.message})`
  return Object.getPrototypeOf(structuredClone(value)) === Object.getPrototypeOf(value)
    ? undefined
    : `${path} is an instance of ${name}, which would arrive without its methods: pass its data`
}
