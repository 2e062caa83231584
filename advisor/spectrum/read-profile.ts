import type { Profiler } from 'node:inspector'

type Node = Profiler.ProfileNode

/**
 * Reads a profile from anywhere: V8, Chrome, or a tool that writes its format, whose nodes may name their parent and not
 * their children.
 * @returns the profile in V8's form, with its samples in the order of time; undefined if it is none, or its tree is broken
 */
export function readProfile(given: unknown): Profiler.Profile | undefined {
  if (!isRecord(given)) return undefined
  const nodes = readTree(given.nodes)
  const { samples, timeDeltas, startTime = 0 } = given
  if (!nodes || !isNumbers(samples) || !isNumbers(timeDeltas) || !isNumber(startTime)) return undefined
  const ids = new Set(nodes.map(({ id }) => id))
  const isWhole =
    samples.length > 0 && samples.length === timeDeltas.length && samples.every(id => ids.has(id))
  if (!isWhole) return undefined
  return { nodes, ...inOrder(samples, timeDeltas, startTime, given.endTime) }
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
    endTime: isNumber(end) ? Math.max(last, end) : last,
  }
}

/** Undefined if the nodes are no trees: each node has one parent at most, and none is its own ancestor. */
function readTree(given: unknown): Node[] | undefined {
  if (!Array.isArray(given) || given.length === 0) return undefined
  const nodes = given.map(readNode)
  if (!nodes.every(node => node !== undefined)) return undefined
  const byId = new Map(nodes.map(node => [node.id, node]))
  if (byId.size < nodes.length) return undefined
  for (const { id, parent } of nodes) {
    if (parent === undefined) continue
    const siblings = byId.get(parent)?.children
    if (!siblings) return undefined
    if (!siblings.includes(id)) siblings.push(id)
  }
  const called = nodes.flatMap(({ children }) => children)
  const isTree = new Set(called).size === called.length && called.every(id => byId.has(id))
  return isTree && countBelow(nodes, byId, new Set(called)) === nodes.length ? nodes : undefined
}

/** Number of nodes that roots lead to. A circle has no root. */
function countBelow(
  nodes: readonly { id: number }[],
  byId: ReadonlyMap<number, { children: readonly number[] }>,
  called: ReadonlySet<number>,
): number {
  const pending = nodes.map(({ id }) => id).filter(id => !called.has(id))
  let count = 0
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    count++
    for (const child of byId.get(id)?.children ?? []) pending.push(child)
  }
  return count
}

function readNode(given: unknown) {
  if (!isRecord(given) || !isRecord(given.callFrame) || !Number.isInteger(given.id)) return undefined
  const { functionName, url, scriptId = '0', lineNumber = -1, columnNumber = -1 } = given.callFrame
  const { id, parent, children = [] } = given
  if (typeof functionName !== 'string' || typeof url !== 'string') return undefined
  if (!isNumbers([lineNumber, columnNumber]) || !isNumbers(children)) return undefined
  if (parent !== undefined && !Number.isInteger(parent)) return undefined
  const place = { lineNumber: lineNumber as number, columnNumber: columnNumber as number }
  return {
    id: id as number,
    parent: parent as number | undefined,
    children: [...children],
    callFrame: { functionName, url, scriptId: String(scriptId), ...place },
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER

const isNumbers = (values: unknown): values is number[] => Array.isArray(values) && values.every(isNumber)
