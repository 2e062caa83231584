import type { SlotMarks } from '../lib/threads/slot-marks.ts'
import type { Dated } from './protocol.ts'

/** A component as it is sent to a thread. */
export interface ComponentCall extends Dated {
  readonly name: string
  readonly input: Dated['input'] & { readonly props: object }
}

/** Shared memory with two numbers for each slot. */
export interface PartMarks {
  /** How many parts of the message in the slot were started. */
  readonly started: SlotMarks
  /** A bit for each part of the message in the slot: the main thread sets it when nobody wants the part any more. */
  readonly left: SlotMarks
}

/** The data that a thread for components gets when it starts. */
export interface PartThreadData extends PartMarks {
  /** A module whose exports are components of React. */
  readonly partsFile: string
  /** Nice value, see `lowerPriority`. */
  readonly priority: number
}
