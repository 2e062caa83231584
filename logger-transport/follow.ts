import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createComplaint, printable } from '../lib/cli/terminal.ts'
import { keepBounds } from './bounds.ts'
import type { Followed } from './checkpoint.ts'
import { CHECKPOINT_FILE, CheckpointFile } from './checkpoint-file.ts'
import { createDelivery, type Delivery } from './deliver.ts'
import { IdleWait } from './idle-wait.ts'
import { Liveness } from './liveness.ts'
import type { Metrics } from './metrics.ts'
import { FINISH_LIMIT_MS, STALLED_MS } from './options.ts'
import { Quarantine } from './quarantine.ts'
import { enrich } from './record.ts'
import { Unreadable } from './regular-file.ts'
import { SegmentReader } from './segment-reader.ts'
import { createTakeOver } from './silence.ts'
import type { Target } from './targets/contract.ts'
import {
  isComplete,
  isFinished,
  isNextEpoch,
  isWaiting,
  type Listing,
  listWriters,
  readLags,
  segmentFile,
  tidy,
  type Writer,
} from './writers.ts'

/** The pause of a reader that has found nothing new. */
const POLL_MS = 100
/** The resource of a writer is added to each of its lines. All lines of a delivery together get no more than this. */
const MAX_RESOURCE_BYTES = 4 * 2 ** 20

export interface FollowOptions {
  /** The directory of the writers, and of files with refused lines. */
  readonly logDirectory: string
  readonly targets: readonly Target[]
  readonly metrics: Metrics
  /** A writer that cannot be asked whether it lives is believed to be dead after a silence of this time; by default a minute. */
  readonly silentAfterMs?: number
  /**
   * This signal is raised when the writers have ended. The remaining lines are still delivered, then following ends.
   * Lines that a target does not take in time stay in the segments for the next transport. Without it, following ends when
   * no target is left.
   */
  readonly finish: AbortSignal
}

/**
 * Follows the segments of all writers. Each target is served separately, so a target that is down does not delay the
 * others. The metrics include from the start the lines that earlier transports delivered and dropped.
 *
 *   segments ─▶ read lines ─▶ add resource ─▶ deliver, again until it works ─▶ save checkpoint ─▶ delete segment
 */
export async function followSegments(options: FollowOptions): Promise<void> {
  const { logDirectory, metrics } = options
  const quarantine = new Quarantine(logDirectory, metrics)
  const path = join(logDirectory, CHECKPOINT_FILE)
  const file = new CheckpointFile(path)
  if (file.error) quarantine.takeNow(path, file.error)
  const followed = options.targets.map(target => {
    const checkpoint = file.of(target.name)
    const counts = metrics.add(target.name, checkpoint.counts)
    const delivery = createDelivery(target, counts, options)
    return { name: target.name, checkpoint, delivery, complain: createComplaint() }
  })
  // It is written at once: a target that it lacks at the next start counts as new.
  await file.save()
  const liveness = new Liveness()
  const listing: Listing = {
    logDirectory,
    liveness,
    takeOver: createTakeOver(options.silentAfterMs),
    quarantine,
    complain: createComplaint(),
  }
  metrics.readLags = () => readLags(listing, followed)
  try {
    await Promise.all(followed.map(target => followFor(target, followed, listing, options.finish)))
    for (const [name, bytes] of await readLags(listing, followed))
      if (bytes > 0) sayWhatStays(name, bytes, logDirectory)
  } finally {
    liveness.keepOnly([])
  }
}

interface Served extends Followed {
  readonly delivery: Delivery
}

async function followFor(
  { name, checkpoint, delivery }: Served,
  followed: readonly Followed[],
  listing: Listing,
  finish: AbortSignal,
): Promise<void> {
  const { complain } = listing
  const quarantine: Quarantine = listing.quarantine
  const reader = new SegmentReader()
  const idle = new IdleWait(finish)
  let endsAtMs = Number.POSITIVE_INFINITY
  const limit = () => {
    endsAtMs = performance.now() + FINISH_LIMIT_MS - STALLED_MS
  }
  finish.addEventListener('abort', limit)
  while (performance.now() < endsAtMs) {
    const finishing = finish.aborted
    let advanced = false
    const writers = await listWriters(listing)
    for (const writer of writers) {
      if (await serve(writer, writers)) advanced = true
      if (delivery.isGivenUp()) return
    }
    if (finishing && quarantine.isPatient) advanced = await delay(POLL_MS, true)
    if (finishing && !advanced) return
    if (!advanced) await delay(POLL_MS, undefined, { signal: finish }).catch(() => {})
    await idle.sleep(advanced, listing, writers)
  }

  /** As `advance`, and deletes what no target needs. A writer that causes an error waits; the others go on. */
  async function serve(writer: Writer, writers: readonly Writer[]): Promise<boolean> {
    try {
      if (!(await isNextEpoch(writer, writers, each => checkpoint.position(each)))) return false
      const advanced = await advance(writer)
      if (delivery.isGivenUp()) return advanced
      await keepBounds(writer, followed)
      await tidy(writer, followed)
      return advanced
    } catch (error) {
      if (error instanceof Unreadable) return quarantine.take(error.path, error)
      complain(`logger-transport: the lines in ${writer.directory} wait: ${(error as Error).stack}`)
      return false
    }
  }

  /**
   * Delivers the next lines of a writer.
   * @returns whether the target's position in the lines of this writer advanced
   */
  async function advance(writer: Writer): Promise<boolean> {
    await noteLost(writer, checkpoint.begin(writer))
    const from = checkpoint.position(writer)
    if (isFinished(writer, from)) {
      await noteLost(writer, checkpoint.settle(writer.instance, writer.linesWritten))
      return false
    }
    const { segments } = writer
    const following = segments.find(number => number > from.segment && isWaiting(number, from))
    const isListed = segments.includes(from.segment)
    const complete = isComplete(writer, from.segment)
    const maxLines = Math.ceil(MAX_RESOURCE_BYTES / JSON.stringify(writer.info.resource).length)
    const { lines, next } = await reader
      .readLines(writer.directory, from, complete, following, isListed, maxLines)
      .catch(error => {
        throw new Unreadable(segmentFile(writer, from.segment), error)
      })
    if (next === from) return false
    // The lines are half a line at the end of a segment. This writer may return, and then it writes the whole line
    // again.
    const isTorn = writer.mayReturn && next.segment !== from.segment
    const whole = isTorn ? [] : lines
    const records = whole
      .slice(checkpoint.repeated(writer.instance))
      .map(line => enrich(line, writer.info.resource))
    const rejected = await delivery.deliver(records)
    if (rejected === undefined) return false
    const saved = checkpoint.save(writer, next, whole.length, rejected)
    // This must happen before another target can delete the directory of this epoch, which may be finished now.
    const lost = isFinished(writer, next) ? checkpoint.settle(writer.instance, writer.linesWritten) : 0
    await saved
    await noteLost(writer, lost)
    return true
  }

  async function noteLost({ instance }: Writer, lines: number): Promise<void> {
    if (lines === 0) return
    const lost = `${lines} lines of ${printable(instance)} are lost to ${name}`
    process.stderr.write(`logger-transport: ${lost}: their segments were removed or could not be read\n`)
    await checkpoint.write()
  }
}

function sayWhatStays(target: string, bytes: number, logDirectory: string): void {
  process.stderr.write(
    `logger-transport: ${target} did not take all lines in time; ${bytes} bytes of them stay in ${logDirectory} for the next start\n`,
  )
}
