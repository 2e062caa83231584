interface Label {
  /** The position of the thing that the label names, in pixels from the left. */
  readonly x: number
  readonly width: number
}

export interface LabelPlace {
  readonly left: number
  /** Rows count from 0; undefined if all rows are taken at this position. */
  readonly row: number | undefined
}

/** The gap between two labels in a row, in pixels. */
const GAP = 10

/**
 * Places labels in rows so that no two overlap. A label begins at its thing, or further left if it would end beyond
 * the right edge. Later labels are placed first, so that the newest has a place in any case.
 * @param labels from left to right
 * @param right the right edge of the rows, in pixels
 */
export function stackLabels(labels: readonly Label[], right: number, rows: number): LabelPlace[] {
  const freeUntil = Array.from({ length: rows }, () => right + GAP)
  return labels
    .toReversed()
    .map(({ x, width }) => {
      const left = Math.max(0, Math.min(x, right - width))
      const row = freeUntil.findIndex(until => left + width + GAP <= until)
      if (row < 0) return { left, row: undefined }
      freeUntil[row] = left
      return { left, row }
    })
    .toReversed()
}
