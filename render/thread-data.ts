import type { SlotMarks } from '../lib/threads/slot-marks.ts'

/** The file that makes `PageData` in a render thread: its export `createPageData` is called with the options. */
export interface PageDataFile {
  readonly file: string
  /** Plain data and shared memory. */
  readonly options: unknown
}

/** The file of a render thread, and the data that it gets besides `ThreadMarks`. */
export interface ThreadFile {
  readonly file: string
  readonly data: object
}

/** The data that a render thread gets when it starts. */
export interface RenderThreadData extends ThreadMarks {
  /** A file with the exports of a `Renderer`. */
  readonly rendererFile: string
  /** Absent if the main thread fetches the data of the parts. */
  readonly pageData?: PageDataFile | undefined
}

/** The data of a thread that its pool adds. */
export interface ThreadMarks {
  /** Marks how many parts of the message in each slot were started; for a page, see `NewPage`. */
  readonly started: SlotMarks
  /** Marks the sources whose data is being fetched for the page in each slot, as bits in the order of `sourceNames`. */
  readonly awaited: SlotMarks
  /** Nice value, see `lowerPriority`. */
  readonly priority: number
}
