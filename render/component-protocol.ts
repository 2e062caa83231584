import type { Dated } from './protocol.ts'
import type { ThreadMarks } from './thread-data.ts'

/** A component as it is sent to a thread. */
export interface ComponentCall extends Dated {
  readonly name: string
  readonly input: Dated['input'] & { readonly props: object }
}

/** The data that a thread for components gets when it starts. */
export interface PartThreadData extends ThreadMarks {
  /** A module whose exports are components of React. */
  readonly partsFile: string
}
