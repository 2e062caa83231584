import type { Profiler } from 'node:inspector'
import { type Check, type Checked, count, list, number, object, orAbsent, text } from '../../lib/check.ts'

const anyText = text(Number.POSITIVE_INFINITY)
const anything = (_given: unknown): _given is unknown => true
const many = <T>(one: Check<T>) => list(one, Number.POSITIVE_INFINITY)

const isNode = object({
  id: count,
  parent: orAbsent(count),
  children: orAbsent(many(count)),
  callFrame: object({
    functionName: anyText,
    url: anyText,
    scriptId: anything,
    lineNumber: orAbsent(number),
    columnNumber: orAbsent(number),
  }),
})

const isProfile = object({
  nodes: many(isNode),
  samples: many(number),
  timeDeltas: many(number),
  startTime: orAbsent(number),
  endTime: anything,
})

/**
 * Reads a profile from anywhere: V8, Chrome, or a tool that writes its format, whose nodes may name their parent and not
 * their children.
 * @returns the profile in V8's form, with its samples in the order of time; undefined if it is none, or its tree is broken
 */
export function readProfile(given: unknown): Profiler.Profile | undefined {
  if (!isProfile(given)) return undefined
  const { samples, timeDeltas, startTime = 0, endTime } = given
  const nodes = readTree(given.nodes)
  const ids = new Set(nodes?.map(({ id }) => id))
  const isWhole =
    samples.length > 0 && samples.length === timeDeltas.length && samples.every(id => ids.has(id))
  return nodes && isWhole ? { nodes, ...inOrder(samples, timeDeltas, startTime, endTime) } : undefined
}

/** V8 takes samples on two threads, so that some deltas are negative. */
function inOrder(samples: readonly number[], timeDeltas: readonly number[], startTime: number, end: unknown) {
  let atMicros = startTime
  const taken = samples.map((node, index) => {
    atMicros += timeDeltas[index] as number
    return { node, atMicros }
  })
  taken.sort((one, other) => one.atMicros - other.atMicros)
  const times = taken.map(each => each.atMicros)
  const [first = startTime] = times
  const last = times.at(-1) ?? startTime
  const start = Math.min(startTime, first)
  return {
    samples: taken.map(({ node }) => node),
    timeDeltas: times.map((time, index) => time - (times[index - 1] ?? start)),
    startTime: start,
    endTime: number(end) ? Math.max(last, end) : last,
  }
}

/** Undefined if the nodes are no trees: each node has one parent at most, and none is its own ancestor. */
function readTree(given: readonly Checked<typeof isNode>[]): Profiler.ProfileNode[] | undefined {
  const children = new Map(given.map(node => [node.id, new Set(node.children)]))
  for (const { id, parent } of given) if (parent !== undefined) children.get(parent)?.add(id)
  const called = new Set([...children.values()].flatMap(each => [...each]))
  const roots = given.filter(({ id, parent }) => parent === undefined && !called.has(id))
  const pending = roots.map(({ id }) => id)
  const seen = new Set<number>()
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const below = children.get(id)
    if (!below || seen.has(id)) return undefined
    seen.add(id)
    for (const child of below) pending.push(child)
  }
  // No root leads to a circle, to a second node with the same id, or to a child of an absent parent.
  if (seen.size < given.length) return undefined
  return given.map(({ id, callFrame }) => {
    const { functionName, url, scriptId = '0', lineNumber = -1, columnNumber = -1 } = callFrame
    return {
      id,
      callFrame: { functionName, url, scriptId: String(scriptId), lineNumber, columnNumber },
      children: [...(children.get(id) ?? [])],
    }
  })
}
