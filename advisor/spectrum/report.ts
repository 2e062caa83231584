import type { Profiler } from 'node:inspector'
import { advise, type Verdict } from '../advice/advise.ts'
import type { Hop } from '../advice/hop.ts'
import type { ConcernOf } from '../concerns/concerns.ts'
import type { FindOwner } from '../owners/owner-of.ts'
import type { ThreadWindow, Unit, Usage } from '../watching/thread.ts'
import type { Windows } from '../watching/watch-process.ts'
import { readSeenTime } from './parts.ts'
import { split, type ThreadSpectrum } from './spectrum.ts'

/** The answer of `main-thread spectrum`. Keys may be added, none is renamed. */
export interface Report {
  readonly schemaVersion: 1
  /** The command, the process, or the file of the profile, as people read it. */
  readonly subject: string
  /** Version of Node.js; null if only a profile is known. */
  readonly nodeVersion: string | null
  /** HTTP requests that the main thread received in the window, or without any, other messages; null if none were counted. */
  readonly requests: number | null
  readonly unit: Unit
  /** CPU time that watching added to each request, as a share of it, or without requests, as a share of a core; null if it is not known. */
  readonly watchingCost: number | null
  /** Bundles without a source map, and whether the comments of their bundler told the modules apart. */
  readonly bundles: readonly { readonly file: string; readonly isSplit: boolean }[]
  readonly main: ThreadSpectrum
  readonly workers: readonly ThreadSpectrum[]
  readonly hop: Hop
  readonly verdict: Verdict
}

/** Finds whose time the functions of a profile take. */
export interface Attribution {
  readonly findOwner: FindOwner
  readonly concernOf: ConcernOf
}

interface Watched {
  readonly subject: string
  readonly nodeVersion: string
  readonly windows: Windows
  /** The main thread shortly before and after, without a profiler. What warms up meanwhile cancels out. */
  readonly unwatched: readonly Usage[]
}

export function reportOfProcess(
  { subject, nodeVersion, windows, unwatched }: Watched,
  { findOwner, concernOf }: Attribution,
  hop: Hop,
): Report {
  const [mainWindow, ...workerWindows] = windows
  const splitWindow = (window: ThreadWindow) =>
    split(window, readSeenTime(window.profile, findOwner, concernOf))
  const main = splitWindow(mainWindow)
  return complete(
    {
      subject,
      nodeVersion,
      requests: mainWindow.requests || null,
      unit: mainWindow.unit,
      watchingCost: costOfWatching(unwatched, mainWindow),
      main,
      workers: workerWindows.map(splitWindow),
    },
    findOwner,
    hop,
  )
}

export function reportOfProfile(
  subject: string,
  profile: Profiler.Profile,
  { findOwner, concernOf }: Attribution,
  hop: Hop,
): Report {
  const seen = readSeenTime(profile, findOwner, concernOf)
  const wallMs = (profile.endTime - profile.startTime) / 1000
  const main = split({ thread: 'profile', wallMs }, seen)
  return complete(
    { subject, nodeVersion: null, requests: null, unit: 'request', watchingCost: null, main, workers: [] },
    findOwner,
    hop,
  )
}

/** @param findOwner has split all profiles of the report */
const complete = (
  found: Omit<Report, 'schemaVersion' | 'bundles' | 'hop' | 'verdict'>,
  { bundles }: FindOwner,
  hop: Hop,
): Report => ({
  schemaVersion: 1,
  ...found,
  bundles: [...bundles].map(([file, { isSplit }]) => ({ file, isSplit })),
  hop,
  verdict: advise(found.main, found.requests, hop),
})

/**
 * CPU time that watching adds to each request, as a share of it; without requests on both sides, to each second, as a
 * share of a core. Null if it is not known.
 */
export function costOfWatching(unwatched: readonly Usage[], during: ThreadWindow): number | null {
  const sum = (value: (usage: Usage) => number) => unwatched.reduce((total, usage) => total + value(usage), 0)
  const [cpuMicros, requests, wallMs] = [
    sum(usage => usage.cpuMicros),
    sum(usage => usage.requests),
    sum(usage => usage.wallMs),
  ]
  if (requests > 0 !== during.requests > 0 || cpuMicros <= 0) return null
  return requests > 0
    ? during.cpuMicros / during.requests / (cpuMicros / requests) - 1
    : (during.cpuMicros / during.wallMs - cpuMicros / wallMs) / 1000
}
