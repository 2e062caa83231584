import { readRun } from '../outcome/results-file.ts'
import type { PlanResults } from './results.ts'

/** @throws UserError when the file holds no results of the command `plan` */
export const readPlan = (path: string): PlanResults =>
  readRun<PlanResults>(path, ({ kind }) => kind === 'plan')
