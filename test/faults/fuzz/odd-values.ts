import { MessageChannel } from 'node:worker_threads'
import type { Draw } from './draw.ts'

/** Node.js 26.10 crashes when a port is copied that is closed, so this one stays open. */
const openPort = new MessageChannel().port1

/** A value that JavaScript can make: plain data, errors, and objects that throw whatever is done with them. */
export function drawValue(draw: Draw, depth = 3): unknown {
  const deeper = () => drawValue(draw, depth - 1)
  if (depth === 0) return drawLeaf(draw)
  return draw.pick<() => unknown>([
    () => drawLeaf(draw),
    () => drawLeaf(draw),
    () => drawError(draw, depth),
    () => draw.times(4, deeper),
    () => Object.fromEntries(draw.times(4, () => [drawName(draw), deeper()])),
    () => Object.assign(Object.create(null), { [drawName(draw)]: deeper() }),
    () => new Map([[deeper(), deeper()]]),
    () => new Set([deeper()]),
    () => inCircle({}),
    () => Object.defineProperty({}, drawName(draw), { enumerable: true, get: () => fail(draw, depth) }),
    () => hostile(draw, depth),
  ])()
}

const NAMES = 'code message name stack cause errors toString toJSON kind constructor'.split(' ')

const drawName = (draw: Draw): string =>
  draw.chance(0.1) ? '__proto__' : draw.pick([...NAMES, draw.text(6)])

const PRIMITIVES = [
  undefined,
  null,
  true,
  Number.NaN,
  -0,
  Number.POSITIVE_INFINITY,
  2 ** 31,
  5n,
  '',
  Symbol('s'),
]

const drawLeaf = (draw: Draw): unknown =>
  draw.pick<() => unknown>([
    () => draw.pick(PRIMITIVES),
    () => draw.text(20, 0, 0x2030),
    () => '\ud800',
    () => draw.bytes(20),
    () => new Date(draw.pick([0, Number.NaN])),
    () => () => {},
    () => new (class Own {})(),
    () => /a/,
    () => new WeakMap(),
    () => new SharedArrayBuffer(8),
    () => new ArrayBuffer(8).transfer(4),
    () => Promise.resolve(draw.text(3)),
    () => new URL('file:///a'),
    () => openPort,
    () => globalThis,
    () => new DOMException('a', 'AbortError'),
    () => new Intl.NumberFormat(),
  ])()

function drawError(draw: Draw, depth: number): unknown {
  const Class = draw.pick([Error, RangeError, SyntaxError, class Odd extends Error {}])
  const error = draw.chance(0.1)
    ? new AggregateError(draw.times(3, () => drawValue(draw, depth - 1)))
    : new Class(draw.text(20))
  for (const name of draw.times(3, () => draw.pick(NAMES)))
    Object.defineProperty(error, name, {
      enumerable: draw.chance(0.5),
      configurable: true,
      ...(draw.chance(0.2)
        ? { get: () => fail(draw, depth) }
        : { value: draw.chance(0.1) ? error : drawValue(draw, depth - 1) }),
    })
  return draw.chance(0.1) ? Object.freeze(error) : error
}

/** A proxy that throws at some or all of what is done with it, or is revoked. */
function hostile(draw: Draw, depth: number): unknown {
  const { proxy, revoke } = Proxy.revocable(draw.pick([{}, () => {}, new Error('a'), []]), {
    ...(draw.chance(0.7) && { get: () => fail(draw, depth) }),
    ...(draw.chance(0.7) && { ownKeys: () => fail(draw, depth) }),
    ...(draw.chance(0.7) && { getPrototypeOf: () => fail(draw, depth) }),
    ...(draw.chance(0.7) && { has: () => fail(draw, depth) }),
  })
  if (draw.chance(0.3)) revoke()
  return proxy
}

function fail(draw: Draw, depth: number): never {
  throw drawValue(draw, Math.max(0, depth - 2))
}

function inCircle(value: Record<string, unknown>): object {
  value.self = value
  return value
}
