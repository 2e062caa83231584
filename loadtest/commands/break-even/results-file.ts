import { readRun } from '../../outcome/results-file.ts'
import type { BreakEvenResults } from './results.ts'

/**
 * @param path of the file, or of the directory that it is in
 * @throws UserError when the file does not hold a run of `break-even`
 */
export const readBreakEven = (path: string): BreakEvenResults =>
  readRun<BreakEvenResults>(path, ({ kind }) => kind === 'break-even')
