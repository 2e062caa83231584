import type { SlotMarks } from '../lib/threads/slot-marks.ts'
import type { Dated } from './protocol.ts'

/** A component as it is sent to a thread. */
export interface ComponentCall extends Dated {
  readonly name: string
  readonly input: Dated['input'] & { readonly props: object }
}

/** The data that a thread for components gets when it starts. */
export interface PartThreadData {
  /** A module whose exports are components of React. */
  readonly partsFile: string
  /** Marks how many parts of the message in each slot were started. */
  readonly started: SlotMarks
  /** Nice value, see `lowerPriority`. */
  readonly priority: number
}
