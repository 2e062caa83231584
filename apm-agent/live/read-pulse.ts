import { type Frame, ProtocolError } from '../frames.ts'
import { readJson } from '../payloads.ts'
import { amount, count, isLatencies, list, object, orNull, record, text } from './check.ts'
import type { Pulse } from './pulse.ts'

const word = text(64)
const sentence = text(256)
/** A pool may have a thread a core of a large machine. */
const MAX_THREADS = 512
const MAX_POOLS = 16
const MAX_CONCERNS = 32
const MAX_STEPS = 32
const MAX_FAULTS = 32

const isPulse = object({
  app: object({
    instance: sentence,
    place: orNull(object({ group: sentence, number: count, of: count })),
    startedAtMs: amount,
    step: orNull(count),
    name: sentence,
    composition: record(word, word, MAX_CONCERNS),
    ladder: list(word, MAX_STEPS),
  }),
  atMs: amount,
  requests: object({ good: count, bad: count }),
  latencies: isLatencies,
  loop: object({ activeMs: amount, idleMs: amount }),
  delayMs: orNull(object({ p99: amount, max: amount })),
  gc: object({ count, pausedMs: amount }),
  threads: list(object({ name: word, cpuMicros: amount }), MAX_THREADS),
  pools: list(
    object({
      name: word,
      size: count,
      queueLength: count,
      tasks: count,
      waitMs: amount,
      runMs: amount,
    }),
    MAX_POOLS,
  ),
  emitted: object({ logLines: count, spans: count, metricPoints: count }),
  droppedLines: count,
  faults: list(object({ id: count, name: word, startedAtMs: amount, endsAtMs: amount }), MAX_FAULTS),
})

/** @throws ProtocolError `content` when the payload is no pulse */
export function readPulse(frame: Frame): Pulse {
  const given = readJson(frame)
  if (!isPulse(given)) throw new ProtocolError('content', 'the payload is no pulse')
  return given as Pulse
}
