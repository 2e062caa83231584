import type { Followed } from './checkpoint.ts'
import { countNewlines } from './protocol.ts'
import { openRegular } from './regular-file.ts'
import { bytesWaiting, isWaiting, segmentFile, segmentSizes, type Writer } from './writers.ts'

/**
 * Share of a writer's disk bound that may wait for one target. The writer uses the rest until a target that takes lines
 * has finished the next segment.
 */
const SHARE = 1 / 2
const NEWLINE = 10

/**
 * Protects the other targets from a target that takes no lines. Lines that wait for that target could fill the disk
 * bound of a writer, and the writer would then drop lines that every other target could have received. A target that
 * exceeds its share therefore drops its oldest segments, but only segments that another target has passed. So the
 * transport never drops a line that no target has. If no target takes lines, the writer drops them. Call this whenever
 * a target may have advanced.
 */
export async function keepBounds(writer: Writer, targets: readonly Followed[]): Promise<void> {
  for (const target of targets) await dropOldest(writer, target, targets)
}

async function dropOldest(
  writer: Writer,
  { name, checkpoint, complain }: Followed,
  targets: readonly Followed[],
): Promise<void> {
  // A target that still reads an earlier epoch has no position in this one.
  if (!checkpoint.hasBegun(writer)) return
  const position = checkpoint.position(writer)
  const front = Math.max(...targets.map(each => each.checkpoint.position(writer).segment))
  // The segment at the target's position is kept, because its lines may be in delivery now.
  const behind = writer.segments.filter(
    number => number > position.segment && number < front && isWaiting(number, position),
  )
  if (behind.length === 0) return
  const sizes = await segmentSizes(writer)
  let excessBytes = bytesWaiting(sizes, position) - writer.info.diskBytes * SHARE
  let lines = 0
  let resume = 0
  for (const number of behind) {
    if (excessBytes <= 0) break
    // The lines of a file that cannot be read are counted when the writer has told its number of lines.
    lines += await countLines(segmentFile(writer, number)).catch(() => 0)
    resume = number + 1
    excessBytes -= sizes.get(number) as number
  }
  if (resume === 0) return
  const now = checkpoint.position(writer)
  // During the count, this target may have advanced and may be delivering these lines, or a call for another target may
  // have dropped them already.
  if (now.segment !== position.segment || now.resume !== position.resume) return
  await checkpoint.drop(writer, resume, lines)
  complain(
    `logger-transport: ${name} is too far behind: it drops its oldest lines, ${checkpoint.counts.dropped} so far; other targets get them`,
  )
}

/** Counts the lines in a file. Half a line at the end of a segment counts as a line, as it does when it is read. */
async function countLines(path: string): Promise<number> {
  const file = await openRegular(path)
  let lines = 0
  let end = NEWLINE
  for await (const chunk of file.createReadStream()) {
    lines += countNewlines(chunk)
    end = chunk.at(-1)
  }
  return end === NEWLINE ? lines : lines + 1
}
