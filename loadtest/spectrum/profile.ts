import type { Profiler } from 'node:inspector'

type Node = Profiler.ProfileNode

/**
 * Each sample's node, with the microseconds until the next sample. (In V8's format a delta is the time since the one before.)
 */
export function* readSamples({ samples = [], timeDeltas = [], startTime, endTime }: Profiler.Profile) {
  let atMicros = startTime
  for (const [index, node] of samples.entries()) {
    atMicros += timeDeltas[index] as number
    yield { node, lasted: timeDeltas[index + 1] ?? endTime - atMicros }
  }
}

/** V8's names for activities of a thread that are no functions. */
export const states: ReadonlyMap<string, 'gc' | 'native' | 'idle'> = new Map([
  ['(garbage collector)', 'gc'],
  ['(program)', 'native'],
  ['(idle)', 'idle'],
])

export const callersOf = (nodes: readonly Node[]): ReadonlyMap<number, Node> =>
  new Map(nodes.flatMap(node => (node.children ?? []).map(child => [child, node] as const)))

/**
 * Says something about each function of a profile, by its frame and what is said of its caller (`root` if it has none).
 * @returns what is said, by the id of the node
 */
export function fromCallers<Said>(
  nodes: readonly Node[],
  root: Said,
  say: (callFrame: Node['callFrame'], caller: Said) => Said,
): Map<number, Said> {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const callers = callersOf(nodes)
  const said = new Map<number, Said>()
  const pending = nodes.filter(({ id }) => !callers.has(id)).map(node => ({ node, caller: root }))
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { id, callFrame, children = [] } = next.node
    const own = say(callFrame, next.caller)
    said.set(id, own)
    for (const child of children) pending.push({ node: byId.get(child) as Node, caller: own })
  }
  return said
}
