import { createReadStream } from 'node:fs'
import type { Checkpoint } from './checkpoint.ts'
import { countNewlines } from './count-newlines.ts'
import type { Metrics } from './metrics.ts'
import {
  bytesWaiting,
  deleteDelivered,
  isWaiting,
  segmentFile,
  segmentSizes,
  type Writer,
} from './writers.ts'

/** A target, and how far it has got. */
export interface Followed {
  readonly name: string
  readonly checkpoint: Checkpoint
  /** Says on stderr what troubles it, at most once a minute. */
  complain(line: string): void
}

/**
 * Of a writer's disk, what may wait for one target. With the other half the writer goes on until a target that takes
 * lines is past the next segment.
 */
const SHARE = 1 / 2
const NEWLINE = 10

/**
 * Keeps a target that takes no lines from stopping the others, which it would as soon as what waits for it fills the
 * disk of a writer: the writer would drop lines that every other target could have had. Past its share the target drops
 * its oldest segments, but only those that another target is past. So no line is dropped here that no target has; where
 * none takes any, the writer drops. To be called whenever a target may have gone on.
 */
export async function keepBounds(
  writer: Writer,
  targets: readonly Followed[],
  metrics: Metrics,
): Promise<void> {
  for (const target of targets) await dropOldest(writer, target, targets, metrics)
}

/** Deletes the segments that no target needs any more, and the directory of a writer that every target has finished. */
export async function tidy(writer: Writer, targets: readonly Followed[]): Promise<void> {
  const positions = targets.map(({ checkpoint }) => checkpoint.position(writer))
  if (!(await deleteDelivered(writer, positions))) return
  for (const { checkpoint } of targets) await checkpoint.forget(writer)
}

async function dropOldest(
  writer: Writer,
  { name, checkpoint, complain }: Followed,
  targets: readonly Followed[],
  metrics: Metrics,
): Promise<void> {
  // A target that is still at an earlier epoch has no position in this one.
  if (!checkpoint.hasBegun(writer)) return
  const position = checkpoint.position(writer)
  const front = Math.max(...targets.map(each => each.checkpoint.position(writer).segment))
  // Lines of the first segment may just be on their way.
  const behind = writer.segments.filter(
    number => number > position.segment && number < front && isWaiting(number, position),
  )
  if (behind.length === 0) return
  const sizes = await segmentSizes(writer)
  let excessBytes = bytesWaiting(sizes, position) - writer.info.diskBytes * SHARE
  const dropped: number[] = []
  for (const number of behind) {
    if (excessBytes <= 0) break
    dropped.push(number)
    excessBytes -= sizes.get(number) as number
  }
  if (dropped.length === 0) return
  const lines = await countLines(dropped.map(number => segmentFile(writer, number)))
  const now = checkpoint.position(writer)
  // It has gone on meanwhile and may be delivering what was counted, or another target was faster to make it drop that.
  if (now.segment !== position.segment || now.resume !== position.resume) return
  metrics.dropped.inc({ target: name }, lines)
  await checkpoint.drop(writer, (dropped.at(-1) as number) + 1, lines)
  complain(
    `logger-transport: ${name} is too far behind: it drops its oldest lines, ${checkpoint.dropped} so far; other targets get them`,
  )
}

/** Half a line at the end of a segment counts, as it does when it is read. */
async function countLines(files: readonly string[]): Promise<number> {
  let lines = 0
  for (const file of files) {
    let end = NEWLINE
    for await (const chunk of createReadStream(file)) {
      lines += countNewlines(chunk)
      end = chunk.at(-1)
    }
    if (end !== NEWLINE) lines++
  }
  return lines
}
