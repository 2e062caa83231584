import type { Profiler } from 'node:inspector'
import { callersOf, readSamples } from '../../loadtest/spectrum/profile.ts'
import { findInside, isInside } from '../owners/builtins.ts'
import type { FindOwner } from '../owners/owner-of.ts'

type Node = Profiler.ProfileNode

/** A time in which JavaScript held the event loop without a pause that the profile could see. */
export interface Turn {
  readonly durationMs: number
  /** What began it, such as `an HTTP request`. */
  readonly startedBy: string
  /** The functions of the stack that took most of it, the innermost first, without Node.js's own. */
  readonly stack: readonly string[]
}

const MOST_FRAMES = 4
const IDLE = new Set(['(idle)', '(program)', '(root)'])
const GC = '(garbage collector)'

/** Turns that this command looks for. */
const MOST_TURNS = 10

/**
 * Finds the longest turns of a profile, the longest first. Turns that follow each other at once count as one. Time that watching
 * takes, such as that of the control, is no part of them.
 */
export function findLongestTurns(profile: Profiler.Profile, describePlace: FindOwner['describe']): Turn[] {
  const stackOf = createStackOf(profile.nodes)
  const turns: { entry: Node | undefined; micros: number; byNode: Map<number, number> }[] = []
  let current: (typeof turns)[number] | undefined
  for (const { node, lasted } of readSamples(profile)) {
    const stack = stackOf(node)
    const name = stack[0]?.callFrame.functionName ?? ''
    if (IDLE.has(name)) current = undefined
    else if (!stack.some(isControl)) {
      // The last of the stack is the root.
      const entry = stack.at(-2)
      if (!current || (name !== GC && current.entry !== entry)) {
        current = { entry, micros: 0, byNode: new Map() }
        turns.push(current)
      }
      current.micros += lasted
      current.byNode.set(node, (current.byNode.get(node) ?? 0) + lasted)
    }
  }
  const describe = (node: Node) => {
    const { functionName, url } = node.callFrame
    const owner = ownerInside(node)
    if (owner) return `${owner.name}.${functionName}`
    return url ? describePlace(node.callFrame) : functionName || '(anonymous)'
  }
  return turns
    .sort((one, other) => other.micros - one.micros)
    .slice(0, MOST_TURNS)
    .map(({ micros, byNode }) => {
      const stacks = [...byNode].sort(([, one], [, other]) => other - one).map(([node]) => stackOf(node))
      // A collection belongs to a function that made the garbage, if one ran.
      const stack = stacks.find(([innermost]) => innermost?.callFrame.functionName !== GC) ?? stacks[0] ?? []
      const frames = stack.slice(0, -1).map(({ callFrame }) => callFrame)
      return {
        durationMs: micros / 1000,
        startedBy: startedBy(frames.reverse()),
        stack: stack
          .filter((each, index) => index === 0 || isShown(each))
          .slice(0, MOST_FRAMES)
          .map(describe),
      }
    })
}

/** Makes a function that finds a node, and those that have called it, the innermost first. */
function createStackOf(nodes: readonly Node[]) {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const callers = callersOf(nodes)
  return (id: number): Node[] => {
    const stack: Node[] = []
    for (let node = byId.get(id); node; node = callers.get(node.id)) stack.push(node)
    return stack
  }
}

const ownerInside = ({ callFrame }: Node) => (isInside(callFrame) ? findInside(callFrame) : undefined)

const isControl = (node: Node) => node.callFrame.url !== '' && ownerInside(node)?.kind === 'control'

/** Whether a caller is shown: functions of the service, and calls that watching has wrapped. */
const isShown = (node: Node) =>
  isInside(node.callFrame)
    ? ownerInside(node)?.kind === 'builtin'
    : !node.callFrame.url.startsWith('node:') && node.callFrame.functionName !== '(root)'

/**
 * What starts a turn, by the functions of Node.js with which its stack begins. The first rule that one of them meets counts, so the
 * more special ones come first: a promise that a timer has settled is a promise.
 */
const rules: readonly (readonly [of: RegExp, name: string])[] = [
  [/ node:_http_server$/, 'an HTTP request'],
  [/ node:_http_client$/, 'the answer to an HTTP call'],
  [/ node:internal\/http2/, 'an HTTP/2 stream'],
  [/ node:internal\/per_context\/messageport$/, 'a message of a thread'],
  [/ node:(internal\/)?child_process/, 'a child process'],
  [/ node:internal\/modules\//, 'the load of a module'],
  [/^onconnection node:net$/, 'a connection'],
  [/ node:internal\/stream_base_commons$/, 'data of a socket or pipe'],
  [/ node:internal\/streams\//, 'the end or rest of a stream'],
  [/^runMicrotasks $/, 'a promise'],
  [/^processTicksAndRejections /, 'process.nextTick'],
  [/^processImmediate /, 'setImmediate'],
  [/^(processTimers|listOnTimeout) /, 'a timer'],
  [/ node:(internal\/)?(fs|dns|crypto|zlib)\b/, 'work of the thread pool'],
]

/** Names what started a turn. @param stack of one of its samples, the outermost function first, without the root */
export function startedBy(stack: readonly Node['callFrame'][]): string {
  const isOfNode = ({ url, functionName }: Node['callFrame']) =>
    url.startsWith('node:') || (url === '' && functionName !== '')
  const others = stack.findIndex(frame => !isOfNode(frame))
  const beginning = (others < 0 ? stack : stack.slice(0, others)).map(
    ({ functionName, url }) => `${functionName} ${url}`,
  )
  const [, name] = rules.find(([of]) => beginning.some(each => of.test(each))) ?? []
  if (!name && beginning[0]?.startsWith('(garbage collector)')) return 'garbage collection'
  // V8 runs the reactions of promises by itself after native code that has called no function of Node.js.
  return name ?? (others === 0 ? 'a promise' : 'Node.js')
}
