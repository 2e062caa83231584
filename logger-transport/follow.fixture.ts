import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { followSegments } from './follow.ts'
import { Metrics } from './metrics.ts'
import { CLOSED_FILE, segmentName, WRITER_FILE } from './protocol.ts'
import { fieldsOf, type LogRecord } from './record.ts'
import type { Target } from './targets/contract.ts'

/** Longer than any test lasts, so that no writer is taken for dead. */
const LONG_MS = 3_600_000

const sequenceOf = (record: LogRecord): unknown => fieldsOf(record).sequence

/** Makes the directory of a writer. @param closed the number of its lines, if it has stopped in order */
export function leaveWriter(
  directory: string,
  info: object,
  segments: readonly string[],
  closed?: number,
): void {
  mkdirSync(directory)
  for (const [index, lines] of segments.entries())
    writeFileSync(join(directory, segmentName(index + 1)), lines)
  if (closed !== undefined) writeFileSync(join(directory, CLOSED_FILE), String(closed))
  writeFileSync(join(directory, WRITER_FILE), JSON.stringify(info))
}

/** A target that takes all lines, and keeps of each what `read` finds in it, by default its number. */
export function taking(name = 'one', read: (record: LogRecord) => unknown = sequenceOf) {
  const got: unknown[] = []
  const deliver: Target['deliver'] = async records => {
    got.push(...records.map(read))
    return []
  }
  return { name, got, deliver, close: async () => {} }
}

/** Follows the segments in a directory until `end` is called, which returns the counts. */
export function follow(logDirectory: string, targets: readonly Target[], silentAfterMs = LONG_MS) {
  const [metrics, finish] = [new Metrics(), new AbortController()]
  const followed = followSegments({ logDirectory, targets, metrics, silentAfterMs, finish: finish.signal })
  return {
    metrics,
    followed,
    async end() {
      finish.abort()
      await followed
      return metrics.countLines()
    },
  }
}
