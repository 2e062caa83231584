import { readFileSync, statSync } from 'node:fs'
import { record } from '../lib/record.ts'
import { type LineCounts, lineCounts } from './metrics.ts'
import type { Quarantine } from './quarantine.ts'
import type { Position } from './segment-reader.ts'

/** The position of a target in the lines of one writer. */
export interface Progress extends Position {
  readonly epoch: number
  /** Number of lines of the writer before the position, in all its epochs. */
  readonly line: number
  /** Number of lines of the writer that were read in any epoch or are known to be lost. */
  readonly settled: number
  /** Whether segments had been deleted before this target was added. If so, its number of missing lines is unknown. */
  readonly fromMiddle?: boolean
  /**
   * Whether the directory of the writer's last epoch was deleted. Another epoch may follow, and another target may
   * still have the deleted one in its list.
   */
  readonly isOver?: boolean
}

/** The content of a checkpoint file. */
interface Saved {
  readonly counts: LineCounts
  readonly positions: readonly (readonly [instance: string, progress: Progress])[]
}

/** A checkpoint has about 200 bytes for each writer. */
const MAX_BYTES = 16 * 2 ** 20
const nothing = (): Saved => ({ counts: { delivered: 0, dropped: 0, rejected: 0 }, positions: [] })

/**
 * Reads a checkpoint file. A position that is not valid is ignored, so the lines of its writer are delivered from the
 * beginning. If the file is missing, this holds for all writers; a broken file is set aside.
 */
export function readSaved(file: string, quarantine: Quarantine): Saved {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (!found) return nothing()
    if (!found.isFile() || found.size > MAX_BYTES) throw new Error('it is no checkpoint')
    const { positions, ...counts } = JSON.parse(readFileSync(file, 'utf8'))
    return {
      counts: record(lineCounts, key => (isCount(counts[key]) ? counts[key] : 0)),
      positions: Object.entries(positions).flatMap(([instance, saved]) => {
        const progress = toProgress(saved)
        return progress ? [[instance, progress] as const] : []
      }),
    }
  } catch (error) {
    quarantine.takeNow(file, error)
    return nothing()
  }
}

function toProgress(saved: unknown): Progress | undefined {
  const {
    segment,
    offset,
    resume = 0,
    epoch = 1,
    line = 0,
    settled = line,
    ...flags
  } = (saved ?? {}) as Partial<Progress>
  if (!isCount(segment) || segment < 1 || !isCount(offset) || !isCount(resume)) return undefined
  if (!isCount(epoch) || !isCount(line) || !isCount(settled)) return undefined
  const { fromMiddle = false, isOver = false } = flags
  return { segment, offset, resume, epoch, line, settled, fromMiddle, isOver }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
