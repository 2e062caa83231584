import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Checkpoint } from './checkpoint.ts'
import { createDelivery } from './deliver.ts'
import type { Metrics } from './metrics.ts'
import { enrich } from './record.ts'
import { readLines } from './segment-reader.ts'
import type { Target } from './targets/contract.ts'
import { bytesBeyond, deleteDelivered, isComplete, isFinished, listWriters, type Writer } from './writers.ts'

const POLL_MS = 100

interface FollowOptions {
  readonly logDirectory: string
  readonly targets: readonly Target[]
  readonly metrics: Metrics
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
  for (const { target, checkpoint } of followed)
    options.metrics.delivered.inc({ target: target.name }, checkpoint.delivered)
  const checkpoints = followed.map(({ checkpoint }) => checkpoint)
  await Promise.all(
    followed.map(({ target, checkpoint }) => followFor(target, checkpoint, checkpoints, options)),
  )
}

async function followFor(
  target: Target,
  checkpoint: Checkpoint,
  checkpoints: readonly Checkpoint[],
  { logDirectory, metrics, finish, giveUp }: FollowOptions,
): Promise<void> {
  const deliver = createDelivery(target, metrics, giveUp)
  for (;;) {
    const finishing = finish.aborted
    let advanced = false
    for (const writer of await listWriters(logDirectory)) {
      if (await advance(writer)) advanced = true
      await tidy(writer)
    }
    if (giveUp.aborted || (finishing && !advanced)) return
    if (!advanced) await delay(POLL_MS, undefined, { signal: finish }).catch(() => {})
  }

  /** Delivers the next lines of a writer; whether that took it further. */
  async function advance(writer: Writer): Promise<boolean> {
    const from = checkpoint.position(writer.instance)
    if (isFinished(writer, from)) return false
    const following = writer.segments.find(number => number > from.segment)
    const complete = isComplete(writer, from.segment)
    const { lines, next } = await readLines(writer.directory, from, complete, following)
    if (next === from) return false
    const records = lines.map(line => enrich(line, writer.info.resource))
    metrics.read.inc({ target: target.name }, records.length)
    metrics.malformed.inc({ target: target.name }, records.filter(({ malformed }) => malformed).length)
    if (records.length > 0) await deliver(records)
    await checkpoint.save(writer.instance, next, records.length)
    return true
  }

  async function tidy(writer: Writer): Promise<void> {
    metrics.lagBytes.set(
      { target: target.name },
      await bytesBeyond(writer, checkpoint.position(writer.instance)),
    )
    const positions = checkpoints.map(each => each.position(writer.instance))
    if (!(await deleteDelivered(writer, positions))) return
    for (const each of checkpoints) await each.forget(writer.instance)
  }
}
