import type { Second, StageMessage } from '../../screen/stage-messages.ts'
import { TOUR } from './pictures/picture.ts'
import { readRecording } from './recording.ts'

/** The messages of the published tour through all steps, as if it were live, until it asks for other pages. */
export function readTour(): readonly StageMessage[] {
  const { setting, lines } = readRecording(TOUR)
  const messages = lines.map(({ message }) => message)
  const end = messages.findIndex(each => each.kind === 'state' && each.state.scenario !== 'demo')
  return [{ kind: 'setting', setting: { ...setting, isReplay: false } }, ...messages.slice(0, end)]
}

/** A second of a step in which nothing went wrong. @param cost in microseconds */
export const secondOf = (step: number, cost: number): Second => ({
  atMs: 0,
  durationMs: 1000,
  step,
  isWarm: true,
  good: 100,
  failed: 0,
  refused: 0,
  scenario: 'demo',
  overload: 'refuse',
  isBroken: false,
  healthMs: 2,
  cpuMicros: cost * 100,
  p50Ms: 1,
})
