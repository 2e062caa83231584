import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createComplaint } from '../lib/complaint.ts'
import { type Followed, keepBounds, tidy } from './bounds.ts'
import { Checkpoint } from './checkpoint.ts'
import { createDelivery } from './deliver.ts'
import { type Metrics, measureLag } from './metrics.ts'
import { FINISH_LIMIT_MS, STALLED_MS } from './options.ts'
import { enrich } from './record.ts'
import { readLines } from './segment-reader.ts'
import type { Target } from './targets/contract.ts'
import {
  bytesWaiting,
  isComplete,
  isFinished,
  isWaiting,
  listWriters,
  segmentSizes,
  type Writer,
} from './writers.ts'

const POLL_MS = 100

interface FollowOptions {
  readonly logDirectory: string
  readonly targets: readonly Target[]
  readonly metrics: Metrics
  /**
   * Raised when the writers have ended: what is there is still delivered, then following ends. What a target does not
   * take in time stays in the segments, for the next transport.
   */
  readonly finish: AbortSignal
}

/**
 * Follows the segments of all writers, for each target on its own, so that one that is down holds up no other. What
 * earlier transports delivered and dropped is counted from the start.
 *
 *   segments ─▶ read lines ─▶ add resource ─▶ deliver, again until it works ─▶ save checkpoint ─▶ delete segment
 */
export async function followSegments({
  logDirectory,
  targets,
  metrics,
  finish,
}: FollowOptions): Promise<void> {
  const followed = targets.map(target => {
    const checkpoint = new Checkpoint(join(logDirectory, `checkpoint-${target.name}.json`))
    metrics.delivered.inc({ target: target.name }, checkpoint.delivered)
    metrics.dropped.inc({ target: target.name }, checkpoint.dropped)
    return { name: target.name, target, checkpoint, complain: createComplaint() }
  })
  measureLag(metrics, () => readLags(logDirectory, followed))
  await Promise.all(
    followed.map(({ target, checkpoint }) =>
      followFor(target, checkpoint, followed, { logDirectory, metrics, finish }),
    ),
  )
  for (const [name, bytes] of await readLags(logDirectory, followed))
    if (bytes > 0) sayWhatStays(name, bytes, logDirectory)
}

async function followFor(
  target: Target,
  checkpoint: Checkpoint,
  followed: readonly Followed[],
  { logDirectory, metrics, finish }: Omit<FollowOptions, 'targets'>,
): Promise<void> {
  const delivery = createDelivery(target, metrics, finish)
  let endsAtMs = Number.POSITIVE_INFINITY
  const limit = () => {
    endsAtMs = performance.now() + FINISH_LIMIT_MS - STALLED_MS
  }
  finish.addEventListener('abort', limit)
  while (performance.now() < endsAtMs) {
    const finishing = finish.aborted
    let advanced = false
    for (const writer of await listWriters(logDirectory)) {
      if (await advance(writer)) advanced = true
      if (delivery.isGivenUp()) return
      await keepBounds(writer, followed, metrics)
      await tidy(writer, followed)
    }
    if (finishing && !advanced) return
    if (!advanced) await delay(POLL_MS, undefined, { signal: finish }).catch(() => {})
  }

  /** Delivers the next lines of a writer; whether that took it further. */
  async function advance(writer: Writer): Promise<boolean> {
    const from = checkpoint.position(writer.instance)
    if (isFinished(writer, from)) return false
    const following = writer.segments.find(number => number > from.segment && isWaiting(number, from))
    const complete = isComplete(writer, from.segment)
    const { lines, next } = await readLines(writer.directory, from, complete, following)
    if (next === from) return false
    const records = lines.map(line => enrich(line, writer.info.resource))
    metrics.read.inc({ target: target.name }, records.length)
    metrics.malformed.inc({ target: target.name }, records.filter(({ malformed }) => malformed).length)
    if (records.length > 0 && !(await delivery.deliver(records))) return false
    await checkpoint.save(writer.instance, next, records.length)
    return true
  }
}

/** Bytes that wait for each target, by its name. */
async function readLags(
  logDirectory: string,
  followed: readonly Followed[],
): Promise<ReadonlyMap<string, number>> {
  const lags = new Map(followed.map(({ name }) => [name, 0]))
  for (const writer of await listWriters(logDirectory)) {
    const sizes = await segmentSizes(writer)
    for (const { name, checkpoint } of followed)
      lags.set(name, (lags.get(name) as number) + bytesWaiting(sizes, checkpoint.position(writer.instance)))
  }
  return lags
}

function sayWhatStays(target: string, bytes: number, logDirectory: string): void {
  process.stderr.write(
    `logger-transport: ${target} did not take all lines in time; ${bytes} bytes of them stay in ${logDirectory} for the next start\n`,
  )
}
