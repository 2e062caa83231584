import type { Row } from '../sample/rows.ts'

/** Says which rows could not be measured at all, and why. */
export const describeAbsent = (rows: readonly Pick<Row, 'name' | 'didNotRun'>[]): string[] =>
  rows.flatMap(({ name, didNotRun }) =>
    didNotRun === undefined ? [] : [`${name} did not run: ${didNotRun}.`],
  )
