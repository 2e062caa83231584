import { type Frame, ProtocolError } from '../frames.ts'
import { readJson } from '../payloads.ts'
import type { Pulse } from './pulse.ts'

type Check = (given: unknown) => boolean

const MAX_TEXT = 256
const MAX_ITEMS = 512

const number: Check = given => Number.isFinite(given)
const text: Check = given => typeof given === 'string' && given.length <= MAX_TEXT
const orNull =
  (check: Check): Check =>
  given =>
    given === null || check(given)
const list =
  (check: Check): Check =>
  given =>
    Array.isArray(given) && given.length <= MAX_ITEMS && given.every(check)
const object =
  (checks: Readonly<Record<string, Check>>): Check =>
  given =>
    isObject(given) && Object.entries(checks).every(([key, check]) => check(given[key]))
const texts: Check = given => isObject(given) && list(list(text))(Object.entries(given))

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

const isPulse = object({
  app: object({
    instance: text,
    startedAtMs: number,
    step: orNull(number),
    name: text,
    composition: texts,
    ladder: list(text),
  }),
  atMs: number,
  requests: object({ good: number, bad: number }),
  latencies: list(list(number)),
  loop: object({ activeMs: number, idleMs: number }),
  delayMs: orNull(object({ p99: number, max: number })),
  gc: object({ count: number, pausedMs: number }),
  threads: list(object({ name: text, cpuMicros: number })),
  pools: list(
    object({ name: text, size: number, queueLength: number, tasks: number, waitMs: number, runMs: number }),
  ),
  emitted: object({ logLines: number, spans: number, metricPoints: number }),
  droppedLines: number,
})

/** @throws ProtocolError `content` when the payload is no pulse */
export function readPulse(frame: Frame): Pulse {
  const given = readJson(frame)
  if (!isPulse(given)) throw new ProtocolError('content', 'the payload is no pulse')
  return given as Pulse
}
