import { join } from 'node:path'
import { UserError } from '../../lib/cli/user-error.ts'
import { saveFile } from '../../lib/os/save-file.ts'
import { percent } from '../../lib/units.ts'
import type { Row } from '../sample/rows.ts'
import type { SampleSettings } from '../sample/sample.ts'
import { takeSample } from '../sample/take-sample.ts'
import { createProfiler, type ThreadProfile } from './profiler.ts'
import type { Spectrum, ThreadSpectrum } from './spectrum.ts'
import { split } from './split.ts'

/** A thread that is busy for a fifth of a second gives about two hundred useful samples in it. */
const DURATION_SECONDS = 8
/** That the main thread burns on purpose, of its own: a slice of known size in every profile. */
const CONTROL_PERCENT = 20
/** The largest share of the main thread's time that may stay unattributed. */
const MAX_UNATTRIBUTED = 0.1
const MAX_REPETITIONS = 3

/**
 * Profiles a row in a fresh stack under the run's load, in a sample of its own, and keeps the profiles in `directory`. A
 * profile that misses too much is taken again; the best is kept.
 * @throws UserError when no request was answered; also the errors of `takeSample`
 */
export async function takeSpectrum(
  row: Row,
  settings: SampleSettings,
  abort: AbortSignal,
  directory: string,
): Promise<Spectrum> {
  const taken: Taken[] = []
  do taken.push(await takeOnce(row, settings, abort))
  while (taken.at(-1)?.spectrum.reason && taken.length <= MAX_REPETITIONS)
  const [best] = taken.toSorted(byTrust) as [Taken, ...Taken[]]
  for (const each of best.profiles) saveFile(join(directory, pathOf(row, each)), JSON.stringify(each.profile))
  return best.spectrum
}

interface Taken {
  readonly spectrum: Spectrum
  readonly profiles: readonly ThreadProfile[]
}

const byTrust = ({ spectrum: one }: Taken, { spectrum: other }: Taken) =>
  Number(one.reason !== null) - Number(other.reason !== null) ||
  Math.abs(one.unattributed) - Math.abs(other.unattributed)

async function takeOnce(row: Row, settings: SampleSettings, abort: AbortSignal): Promise<Taken> {
  const profiler = createProfiler()
  const profiled = { ...row, app: { ...row.app, handicapPercent: CONTROL_PERCENT } }
  const longer = { ...settings, durationSeconds: DURATION_SECONDS }
  const sample = await takeSample(profiled, 0, longer, abort, profiler.probe)
  if (sample.responses === 0) throw new UserError(`${row.name} answered nothing while it was profiled`)
  const [main, ...others] = profiler.profiles as readonly [ThreadProfile, ...ThreadProfile[]]
  const windowMs = (main.profile.endTime - main.profile.startTime) / 1000
  const responses = (sample.goodput * windowMs) / 1000
  const describe = (profile: ThreadProfile, controlPercent: number): ThreadSpectrum => ({
    thread: profile.thread,
    ...split(profile, controlPercent, responses),
    profile: pathOf(row, profile),
  })
  const ofMain = describe(main, CONTROL_PERCENT)
  return {
    spectrum: {
      ...ofMain,
      threads: others.map(other => describe(other, 0)),
      reason: sample.reason ?? whyPoor(ofMain),
    },
    profiles: profiler.profiles,
  }
}

function whyPoor({ unattributed }: ThreadSpectrum): string | null {
  if (Math.abs(unattributed) < MAX_UNATTRIBUTED) return null
  const share = percent(Math.abs(unattributed))
  return unattributed > 0
    ? `the profile leaves ${share} of the main thread's time unattributed`
    : `the profile saw ${share} more than the main thread used`
}

function pathOf(row: Row, { thread }: ThreadProfile): string {
  const name = [row.number, row.name, thread].filter(part => part !== null).join('-')
  return join('profiles', `${name.replaceAll(/[^\w.=-]+/g, '-')}.cpuprofile`)
}
