import type { Debugger, Profiler } from 'node:inspector'
import { UserError } from '../../lib/cli/user-error.ts'
import { callersOf, fromCallers, readSamples } from '../../loadtest/spectrum/profile.ts'
import type { WatchedSubject } from '../commands/subject.ts'
import { percent } from '../output/tables.ts'
import type { Comparison } from '../versus/compare.ts'

type Node = Profiler.ProfileNode

const [PROFILE_MS, COUNT_MS] = [4000, 2000]
/** A turn costs so much more with the delay. */
const ADDED = 0.3
/** A function that itself takes more of the samples is not slowed: V8 does not optimize one that has a breakpoint. */
const MOST_OWN = 0.02
/** V8 evaluates the condition of a breakpoint in some microseconds. */
const MOST_CALLS = 200

/** A function that is slowed: a breakpoint in it, or where it is called from, has a condition that takes time, and never holds. */
export type Slowed = Awaited<ReturnType<typeof slowFunction>>

/**
 * Finds a function by its name and place, and prepares to slow it (Curtsinger and Berger, Coz, 2015). The session of the
 * inspector takes its breakpoint with it.
 * @throws UserError when it does not run, or not alone, or is called too often
 */
export async function slowFunction({ main, measure, profile, attribution }: WatchedSubject, text: string) {
  const [{ profile: seen, cpuMicros, requests }] = await profile(PROFILE_MS)
  const nameOf = ({ callFrame }: Node) => attribution.findOwner.describe(callFrame)
  const nodes = seen.nodes.filter(node => Number(node.callFrame.scriptId) > 0 && nameOf(node).includes(text))
  const [name, ...others] = new Set(nodes.map(nameOf))
  if (!nodes[0] || !name) throw new UserError(`no function "${text}" was seen in ${PROFILE_MS / 1000} s`)
  if (others.length > 0)
    throw new UserError(`"${text}" is in ${[name, ...others].slice(0, 5).join(', ')}: name one of them`)
  const callers = callersOf(seen.nodes)
  const place = findPlace(seen, callers, nodes[0])
  await pauseNever(main.inspected, place.callFrame)
  const before = await main.call('slow', 0)
  const usage = await measure(COUNT_MS)
  const calls = ((await main.call('slow', 0)) - before) / usage.requests
  if (!(calls > 0 && calls <= MOST_CALLS))
    throw new UserError(
      `${nameOf(place)}, from which it is called, runs ${calls} times a request: name another function`,
    )
  return {
    name,
    /** The function that has the breakpoint, and its calls for each request. */
    place: nameOf(place),
    calls,
    delayMicros: (ADDED * cpuMicros) / requests / calls,
    /** Of the main thread's time, with all that the function calls. */
    share: shareWithCalls(seen, callFrame => attribution.findOwner.describe(callFrame) === name),
  }
}

/** The function, or the nearest one that calls it, which takes little time itself. */
function findPlace({ samples = [] }: Profiler.Profile, callers: ReadonlyMap<number, Node>, node: Node): Node {
  for (let each: Node | undefined = node; each; each = callers.get(each.id)) {
    const { id, callFrame } = each
    const own = samples.filter(sample => sample === id).length / samples.length
    if (Number(callFrame.scriptId) > 0 && !callFrame.url.startsWith('node:') && own <= MOST_OWN) return each
  }
  throw new UserError(
    'all functions that call it take much time themselves, and V8 would not optimize one that is slowed',
  )
}

/** Sets a breakpoint at the beginning of a function, whose condition calls what `changeInside` has put there. */
async function pauseNever(inspected: WatchedSubject['main']['inspected'], start: Node['callFrame']) {
  const { scriptId, lineNumber, columnNumber } = start
  // A statement `debugger` of the service would stop it otherwise. Conditions are evaluated all the same.
  await inspected.send('Debugger.setSkipAllPauses', { skip: true })
  await inspected.send('Debugger.enable')
  const where = { start: { scriptId, lineNumber, columnNumber }, restrictToFunction: true }
  const { locations } = await inspected.send<Debugger.GetPossibleBreakpointsReturnType>(
    'Debugger.getPossibleBreakpoints',
    where,
  )
  const condition = "globalThis[Symbol.for('main-thread.slow')]?.()"
  await inspected.send('Debugger.setBreakpoint', { location: locations[0], condition })
}

/** The share of the time awake in which a function was on the stack. */
function shareWithCalls(profile: Profiler.Profile, isIt: (callFrame: Node['callFrame']) => boolean): number {
  const isWithin = fromCallers(profile.nodes, false, (callFrame, caller) => caller || isIt(callFrame))
  const idle = profile.nodes.find(({ callFrame }) => callFrame.functionName === '(idle)')?.id
  let [within, all] = [0, 0]
  for (const { node, lasted } of readSamples(profile)) {
    if (node === idle) continue
    all += lasted
    if (isWithin.get(node)) within += lasted
  }
  return within / all
}

/** Reads the slope: what the delay changed, and what follows for the cost if the function took no time at all. */
export function describeSlow(slowed: Slowed, [cost]: readonly Comparison[]) {
  const { name, place, calls, delayMicros, share } = slowed
  const added = (calls * delayMicros) / (cost?.before ?? Number.NaN)
  const without = (cost?.ratio.ci95 ?? []).map(ratio => 1 - (ratio - 1) * (share / added)).reverse()
  const remarks = [
    `${place} is called ${calls.toFixed(1)} times a request. Each call took ${delayMicros.toFixed(0)} µs longer, which adds ${percent(added)}.`,
    `${name}, with all that it calls, is ${percent(share)} of the main thread's time. By the slope, a request without it would cost ${without.map(each => each.toFixed(2)).join(' to ')} ×.`,
  ]
  return { remarks, slowed: { ...slowed, without } }
}
