import type { Profiler } from 'node:inspector'

/**
 * Each sample's node, with the microseconds until the next sample. In V8's format a delta is the time since the
 * sample before, but the state that a sample shows lasts until the next one.
 */
export function* readSamples({ samples = [], timeDeltas = [], startTime, endTime }: Profiler.Profile) {
  let atMicros = startTime
  for (const [index, node] of samples.entries()) {
    atMicros += timeDeltas[index] as number
    yield { node, lasted: timeDeltas[index + 1] ?? endTime - atMicros }
  }
}
