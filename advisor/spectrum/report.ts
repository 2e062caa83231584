import type { Profiler } from 'node:inspector'
import { advise } from '../advice/advise.ts'
import type { Hop } from '../advice/hop.ts'
import type { Cores } from '../process/proc.ts'
import { findLongestTurns } from '../turns/longest-turns.ts'
import type { Usage } from '../watching/thread.ts'
import { type Attribution, splitWindow, type Window } from './spectrum.ts'

/** The answer of `main-thread spectrum`. Keys may be added, none is renamed. */
export type Report = Readonly<ReturnType<typeof reportOf>>

interface Found {
  /** The command, the process, or the file of the profile, as people read it. */
  readonly subject: string
  /** Version of Node.js; null if only a profile is known. */
  readonly nodeVersion: string | null
  /** Of the main thread, then of worker threads. */
  readonly windows: readonly [Window, ...Window[]]
  /** The main thread shortly before and after, without a profiler. What warms up meanwhile cancels out. */
  readonly unwatched: readonly Usage[]
  /** Null if only a profile is known. */
  readonly cores: Cores | null
  /** What the service writes to as its stdout; undefined if it is not known. */
  readonly stdout?: string | undefined
}

export function reportOf(
  { subject, nodeVersion, windows, unwatched, cores, stdout }: Found,
  by: Attribution,
  hop: Hop,
) {
  const [mainWindow, ...workerWindows] = windows
  const main = splitWindow(withoutSampling(mainWindow, unwatched), by)
  const workers = workerWindows.map(window => splitWindow(window, by))
  const { unit = 'request' } = mainWindow
  const requests = mainWindow.requests || null
  return {
    schemaVersion: 1,
    subject,
    nodeVersion,
    /** HTTP requests that the main thread received in the window, or without any, other messages; null if none were counted. */
    requests,
    unit,
    watchingCost: costOfWatching(unwatched, mainWindow),
    /** Bundles without a source map. */
    bundles: [...by.findOwner.bundles].map(file => ({ file })),
    /** The cores of the machine, and how many of them were idle meanwhile. */
    cores,
    stdout,
    main,
    /** The longest turns of the main thread's event loop, the longest first. */
    longestTurns: findLongestTurns(mainWindow.profile, by.findOwner.describe),
    workers,
    hop,
    verdict: advise(main, requests, hop, cores),
  }
}

export function reportOfProfile(
  subject: string,
  profile: Profiler.Profile,
  attribution: Attribution,
  hop: Hop,
): Report {
  const wallMs = (profile.endTime - profile.startTime) / 1000
  const windows = [{ thread: 'profile', profile, wallMs }] as const
  return reportOf({ subject, nodeVersion: null, windows, unwatched: [], cores: null }, attribution, hop)
}

/** Each sample wakes a thread that waits for work. That costs CPU time, which a request does not cost without a profiler. */
function withoutSampling(window: Window, unwatched: readonly Usage[]): Window {
  const cost = window.requests ? costOfWatching(unwatched, window) : null
  return window.cpuMicros && cost && cost > 0
    ? { ...window, cpuMicros: window.cpuMicros / (1 + cost) }
    : window
}

/**
 * CPU time that watching adds to each request, as a share of it; without requests on both sides, to each second, as a
 * share of a core. Null if it is not known.
 */
function costOfWatching(unwatched: readonly Usage[], during: Partial<Usage>): number | null {
  const sum = (key: 'cpuMicros' | 'requests' | 'wallMs') =>
    unwatched.reduce((total, usage) => total + usage[key], 0)
  const [cpuMicros, requests, wallMs] = [sum('cpuMicros'), sum('requests'), sum('wallMs')]
  const { cpuMicros: cpuMicrosDuring = 0, requests: requestsDuring = 0, wallMs: wallMsDuring = 0 } = during
  if (requests > 0 !== requestsDuring > 0 || cpuMicros <= 0) return null
  return requests > 0
    ? cpuMicrosDuring / requestsDuring / (cpuMicros / requests) - 1
    : (cpuMicrosDuring / wallMsDuring - cpuMicros / wallMs) / 1000
}
