import type { Profiler } from 'node:inspector'
import { readSamples } from '../../loadtest/spectrum/samples.ts'
import { findInside, isInside } from '../owners/builtins.ts'

/** A time in which JavaScript held the event loop without a pause that the profile could see. */
export interface Turn {
  readonly durationMs: number
  /** The functions of the stack that took most of it, the innermost first, without Node.js's own. */
  readonly stack: readonly string[]
}

const MOST_FRAMES = 4
const IDLE = new Set(['(idle)', '(program)', '(root)'])
const GC = '(garbage collector)'

/**
 * Finds the longest turn of a profile; null if nothing ran. Turns that follow each other at once count as one. Time that
 * watching takes, such as that of the control, is no part of them.
 */
export function findLongestTurn(profile: Profiler.Profile): Turn | null {
  const tree = new Map(profile.nodes.map(node => [node.id, node]))
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id])),
  )
  const nameOf = (id: number) => tree.get(id)?.callFrame.functionName ?? ''
  const entryOf = (id: number): number => {
    const [parent = id] = [parents.get(id)]
    return parents.has(parent) ? entryOf(parent) : id
  }
  const isWatching = (id: number | undefined): boolean =>
    id !== undefined && (isControl(tree.get(id)) || isWatching(parents.get(id)))
  let longest: Holding | null = null
  let current: Holding | null = null
  for (const { node, lasted } of readSamples(profile)) {
    if (IDLE.has(nameOf(node))) current = null
    else if (!isWatching(node)) {
      const entry = entryOf(node)
      const isNext = current === null || (nameOf(node) !== GC && current.entry !== entry)
      if (isNext) current = { entry, micros: 0, byNode: new Map() }
      hold(current as Holding, node, lasted)
      if ((current as Holding).micros > (longest?.micros ?? 0)) longest = current
    }
  }
  return longest && { durationMs: longest.micros / 1000, stack: stackOf(heaviest(longest), tree, parents) }
}

const isControl = (node: Profiler.ProfileNode | undefined) =>
  node !== undefined && isInside(node.callFrame) && findInside(node.callFrame)?.kind === 'control'

interface Holding {
  /** The outermost function. */
  readonly entry: number
  micros: number
  readonly byNode: Map<number, number>
}

function hold(holding: Holding, node: number, micros: number): void {
  holding.micros += micros
  holding.byNode.set(node, (holding.byNode.get(node) ?? 0) + micros)
}

const heaviest = ({ byNode }: Holding): number =>
  [...byNode].reduce((most, each) => (each[1] > most[1] ? each : most))[0]

function stackOf(
  innermost: number,
  tree: ReadonlyMap<number, Profiler.ProfileNode>,
  parents: ReadonlyMap<number, number>,
): string[] {
  const frames: string[] = []
  for (let id: number | undefined = innermost; id !== undefined; id = parents.get(id)) {
    const { functionName, url, lineNumber } = (tree.get(id) as Profiler.ProfileNode).callFrame
    const isShown = functionName !== '(root)' && (frames.length === 0 || !url.startsWith('node:'))
    if (isShown) frames.push(describe(functionName, url, lineNumber))
  }
  return frames.slice(0, MOST_FRAMES)
}

const describe = (name: string, url: string, line: number) =>
  `${name || '(anonymous)'}${url ? ` ${url.split('/').slice(-2).join('/')}:${line + 1}` : ''}`
