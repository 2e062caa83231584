import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../options.ts'
import type { Row } from '../rows.ts'
import { takeSample } from '../sample.ts'
import { createProfiler, type ThreadProfile } from './profiler.ts'
import type { Spectrum, ThreadSpectrum } from './spectrum.ts'
import { split } from './split.ts'

/** A second of a thread that is a fifth busy gives two hundred samples that say something. */
const DURATION_SECONDS = 8
/** What the main thread burns on top of its own time, in percent: a slice of known size in every profile. */
const CONTROL_PERCENT = 20
/** The share of the main thread's time that may be unattributed. */
const MAX_UNATTRIBUTED = 0.1
const MAX_REPETITIONS = 3

/**
 * Profiles a row in a fresh stack under the run's load, apart from the samples that are measured, and keeps the profiles
 * in `directory`. A profile that misses too much is taken again.
 * @throws what `takeSample` throws
 */
export async function takeSpectrum(
  row: Row,
  settings: Settings,
  abort: AbortSignal,
  directory: string,
  livePort: number,
): Promise<Spectrum> {
  let spectrum: Spectrum
  let repetitions = 0
  do {
    spectrum = await takeOnce(row, settings, abort, directory, livePort)
  } while (spectrum.reason !== null && repetitions++ < MAX_REPETITIONS)
  return spectrum
}

async function takeOnce(
  row: Row,
  settings: Settings,
  abort: AbortSignal,
  directory: string,
  livePort: number,
): Promise<Spectrum> {
  const { probe, profiles } = createProfiler()
  const profiled = { ...row, app: { ...row.app, handicapPercent: CONTROL_PERCENT } }
  const sample = await takeSample(
    profiled,
    0,
    { ...settings, durationSeconds: DURATION_SECONDS },
    abort,
    livePort,
    probe,
  )
  const [main, ...others] = profiles as readonly [ThreadProfile, ...ThreadProfile[]]
  const windowMs = (main.profile.endTime - main.profile.startTime) / 1000
  const responses = (sample.goodput * windowMs) / 1000
  const describe = (profile: ThreadProfile, controlPercent: number): ThreadSpectrum => ({
    thread: profile.thread,
    ...split(profile, controlPercent, responses),
    profile: keep(directory, row, profile),
  })
  const ofMain = describe(main, CONTROL_PERCENT)
  return {
    ...ofMain,
    windowMs,
    responses: Math.round(responses),
    threads: others.map(other => describe(other, 0)),
    reason: sample.reason ?? whyPoor(ofMain),
  }
}

function whyPoor({ unattributed }: ThreadSpectrum): string | null {
  if (Math.abs(unattributed) < MAX_UNATTRIBUTED) return null
  return `the profile leaves ${(unattributed * 100).toFixed(0)} % of the main thread's time unattributed`
}

/** @returns where the profile is, seen from the results */
function keep(directory: string, row: Row, { thread, profile }: ThreadProfile): string {
  const name = [row.number, row.name, thread].filter(part => part !== null).join('-')
  const path = join('profiles', `${name.replaceAll(/[^\w.=-]+/g, '-')}.cpuprofile`)
  mkdirSync(join(directory, 'profiles'), { recursive: true })
  writeFileSync(join(directory, path), JSON.stringify(profile))
  return path
}
