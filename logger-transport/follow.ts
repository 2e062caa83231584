import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { printable } from '../lib/printable.ts'
import { Checkpoint } from './checkpoint.ts'
import { createDelivery } from './deliver.ts'
import { Liveness } from './liveness.ts'
import type { Metrics } from './metrics.ts'
import { enrich } from './record.ts'
import { readLines } from './segment-reader.ts'
import type { Target } from './targets/contract.ts'
import {
  bytesBeyond,
  deleteDelivered,
  isComplete,
  isFinished,
  isNextEpoch,
  listWriters,
  type Writer,
} from './writers.ts'

const POLL_MS = 100

interface FollowOptions {
  readonly logDirectory: string
  readonly targets: readonly Target[]
  readonly metrics: Metrics
  /** A writer that cannot be asked whether it lives is believed to be dead after such a silence. */
  readonly silentAfterMs: number
  /** Raised when the writers have ended: what is there is still delivered, then following ends. */
  readonly finish: AbortSignal
  /** Raised when delivering has taken too long: what is left stays in the segments, for the next transport. */
  readonly giveUp: AbortSignal
}

/**
 * Follows the segments of all writers, for each target on its own, so that one that is down holds up no other. What
 * earlier transports delivered is counted from the start.
 *
 *   segments ─▶ read lines ─▶ add resource ─▶ deliver, again until it works ─▶ save checkpoint ─▶ delete segment
 */
export async function followSegments(options: FollowOptions): Promise<void> {
  const followed = options.targets.map(target => ({
    target,
    checkpoint: new Checkpoint(join(options.logDirectory, `checkpoint-${target.name}.json`)),
  }))
  for (const { target, checkpoint } of followed) {
    options.metrics.delivered.inc({ target: target.name }, checkpoint.delivered)
    options.metrics.lost.inc({ target: target.name }, checkpoint.lost)
  }
  const checkpoints = followed.map(({ checkpoint }) => checkpoint)
  // Whoever is not there yet counts as late at the next start.
  await Promise.all(checkpoints.map(checkpoint => checkpoint.write()))
  const liveness = new Liveness(options.silentAfterMs)
  const each = followed.map(({ target, checkpoint }) =>
    followFor(target, checkpoint, checkpoints, liveness, options),
  )
  await Promise.all(each).finally(() => liveness.close())
}

async function followFor(
  target: Target,
  checkpoint: Checkpoint,
  checkpoints: readonly Checkpoint[],
  liveness: Liveness,
  { logDirectory, metrics, finish, giveUp }: FollowOptions,
): Promise<void> {
  const deliver = createDelivery(target, metrics, giveUp)
  for (;;) {
    const finishing = finish.aborted
    let advanced = false
    const writers = await listWriters(logDirectory, liveness)
    for (const writer of writers) {
      if (!(await isNextEpoch(writer, writers, each => checkpoint.position(each)))) continue
      if (await advance(writer)) advanced = true
      await tidy(writer)
    }
    if (giveUp.aborted || (finishing && !advanced)) return
    if (!advanced) await delay(POLL_MS, undefined, { signal: finish }).catch(() => {})
  }

  /** Delivers the next lines of a writer; whether that took it further. */
  async function advance(writer: Writer): Promise<boolean> {
    await noteLost(writer, checkpoint.begin(writer))
    const from = checkpoint.position(writer)
    if (isFinished(writer, from)) {
      await noteLost(writer, checkpoint.settle(writer.instance, writer.linesWritten))
      return false
    }
    const { segments } = writer
    // A segment that was listed and is not there has just been renamed with its directory: it is found at the next look.
    const following = segments.includes(from.segment) ? null : segments.find(each => each > from.segment)
    const complete = isComplete(writer, from.segment)
    const { lines, next } = await readLines(writer.directory, from, complete, following)
    if (next === from) return false
    // Half a line, at the end, of a writer that may return: then it writes the whole line again.
    const isTorn = writer.mayReturn && next.segment !== from.segment
    const whole = isTorn ? [] : lines
    const records = whole
      .slice(checkpoint.repeated(writer.instance))
      .map(line => enrich(line, writer.info.resource))
    metrics.read.inc({ target: target.name }, records.length)
    metrics.malformed.inc({ target: target.name }, records.filter(({ malformed }) => malformed).length)
    if (records.length > 0) await deliver(records)
    const saved = checkpoint.save(writer, next, whole.length)
    // Before anybody can delete the directory of an epoch that is finished now.
    const lost = isFinished(writer, next) ? checkpoint.settle(writer.instance, writer.linesWritten) : 0
    await saved
    await noteLost(writer, lost)
    return true
  }

  async function noteLost({ instance }: Writer, lines: number): Promise<void> {
    if (lines === 0) return
    metrics.lost.inc({ target: target.name }, lines)
    const lost = `${lines} lines of ${printable(instance)} are lost to ${target.name}`
    process.stderr.write(`logger-transport: ${lost}: someone removed their segments\n`)
    await checkpoint.write()
  }

  async function tidy(writer: Writer): Promise<void> {
    metrics.lagBytes.set({ target: target.name }, await bytesBeyond(writer, checkpoint.position(writer)))
    const positions = checkpoints.map(each => each.position(writer))
    if (!(await deleteDelivered(writer, positions))) return
    for (const each of checkpoints) await each.forget(writer)
  }
}
