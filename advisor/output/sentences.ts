import type { Report } from '../spectrum/report.ts'
import { LEAST_COVERAGE, type ThreadSpectrum } from '../spectrum/spectrum.ts'
import type { Turn } from '../turns/longest-turns.ts'
import type { Unit } from '../watching/thread.ts'
import { percent } from './tables.ts'

/** More standstill than this share of the time is said with a warning. */
const MOST_STANDSTILL = 0.05
const REMEDY = 'Give the machine more idle cores, or watch for longer.'

/** The facts below a spectrum: how much it explains, and what watching cost. */
export function sentencesOf({ main, requests, unit, watchingCost, hop, bundles, stdout }: Report): string[] {
  const received = unit === 'request' ? 'HTTP requests' : 'messages'
  const sentences = [
    ...describeCoverage(main),
    describeStandstill(main),
    ...bundles.map(describeBundle),
    `Garbage collection took ${percent(main.gcShare)}; "its garbage" is the part that each one's allocations caused.${describeAllocation(main, requests, unit)}`,
    '± is half of the interval that has the share in it with 95 % certainty, in points: it tells how the share differed between ten parts of the window.',
    main.shares.some(({ concern }) => concern === 'logging') ? describeStdout(stdout) : null,
    requests && `The main thread received ${requests} ${received} in the window.`,
    describeCost(watchingCost, requests, unit),
    `A round trip to a worker thread with ${hop.messageBytes} bytes costs ${hop.mainThreadMicros.toFixed(1)} µs on the main thread here, ${hop.aloneMicros.toFixed(1)} µs if it is alone and its reply takes a millisecond, and ${hop.totalMicros.toFixed(1)} µs in all.`,
  ]
  return sentences.filter(sentence => typeof sentence === 'string')
}

/** What a line costs depends on who takes it, and so does what moving it away brings. */
const describeStdout = (stdout: string | undefined) =>
  stdout === undefined
    ? null
    : `Its stdout is ${stdout === 'nothing' ? 'dropped here. A pipe costs more: sh -c "node server.js | cat" shows it' : `a ${stdout}. What a line costs, and what moving it brings, is for a ${stdout} only`}.`

const describeAllocation = ({ allocatedBytes }: ThreadSpectrum, requests: number | null, unit: Unit) =>
  allocatedBytes && requests
    ? ` A ${unit} allocated about ${(allocatedBytes / requests / 1000).toFixed(0)} KB.`
    : ''

const describeBundle = ({ file }: Report['bundles'][number]): string =>
  `${file} is a bundle without a source map: whose time it takes is not known.`

/** @param requests that were counted in the window; none means that seconds were compared */
const describeCost = (cost: number | null, requests: number | null, unit: Unit): string | null =>
  cost === null
    ? null
    : `Watching cost: ${cost >= 0 ? '+' : ''}${percent(cost)} ${requests ? `CPU time of the main thread for each ${unit}` : 'of a core'}, against time without a profiler.`

function describeCoverage(thread: ThreadSpectrum): string[] {
  const { coverage, controlSeen, cpuMs, wallMs, samples, waitRatio } = thread
  if (cpuMs === null)
    return [
      'Shares are of the time that the profile saw: a profile has no CPU time, no control and no count of requests. JSON counts for its callers.',
    ]
  if (coverage === null || controlSeen === null)
    return [
      `Warning: the profile has only ${samples} samples, too few to know how much it missed. Watch for longer, or give the machine more idle cores.`,
    ]
  const facts = `Coverage: ${percent(coverage)} of ${(cpuMs / 1000).toFixed(2)} s of CPU time in ${(wallMs / 1000).toFixed(1)} s; the profile saw ${percent(Math.min(1, controlSeen))} of the control, a known load on purpose. The thread waited for a core for ${percent(waitRatio ?? 0)} as long as it ran.`
  return coverage < LEAST_COVERAGE ? [facts, `Warning: the profile missed too much. ${REMEDY}`] : [facts]
}

const describeStandstill = ({ stoodStillShare }: ThreadSpectrum) =>
  (stoodStillShare ?? 0) > MOST_STANDSTILL
    ? `Warning: for ${percent(stoodStillShare ?? 0)} of the time the thread stood still in calls that wait, such as execSync or a synchronous read. This counts as their callers' time, although it takes no CPU time; it delays every request.`
    : null

/** What is shorter is known badly, and delays no request much. */
const LEAST_TURN_MS = 5
export const TURNS_TITLE =
  'The longest turns of the event loop, by the clock; turns that follow each other at once count as one:'

/** A sentence for each of the longest turns that are worth a look. */
export const describeTurns = ({ longestTurns }: Pick<Report, 'longestTurns'>): string[] =>
  longestTurns.filter(({ durationMs }) => durationMs >= LEAST_TURN_MS).map(describeTurn)

const describeTurn = ({ durationMs, startedBy, stack }: Turn): string =>
  `${durationMs.toFixed(0)} ms, begun by ${startedBy}: ${stack.join(' < ')}`
