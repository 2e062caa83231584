import { readFileSync } from 'node:fs'
import type { Position } from './segment-reader.ts'

/** How far a target has got with one writer. */
export interface Progress extends Position {
  readonly epoch: number
  /** Lines of the writer before the position, in all its epochs. */
  readonly line: number
  /** Lines of the writer that were read in any epoch, or are known to be lost. */
  readonly settled: number
  /** This target came when segments were deleted already, so nobody knows how many lines it misses. */
  readonly fromMiddle?: boolean
  /** The directory of its last epoch was deleted. Another epoch may follow, or another target may still list this one. */
  readonly isOver?: boolean
}

/** A checkpoint as it stands in its file. */
interface Saved {
  readonly delivered: number
  readonly dropped: number
  readonly positions: readonly (readonly [instance: string, progress: Progress])[]
}

/**
 * Reads a checkpoint. A position that is not valid is ignored: its writer is delivered from the beginning. The same goes
 * for a file that is missing or broken.
 */
export function readSaved(file: string): Saved {
  try {
    const { delivered, dropped, positions } = JSON.parse(readFileSync(file, 'utf8'))
    return {
      delivered: isCount(delivered) ? delivered : 0,
      dropped: isCount(dropped) ? dropped : 0,
      positions: Object.entries(positions).flatMap(([instance, saved]) => {
        const progress = toProgress(saved)
        return progress ? [[instance, progress] as const] : []
      }),
    }
  } catch {
    return { delivered: 0, dropped: 0, positions: [] }
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
