import type { LoadedModule } from './app-module.ts'
import type { PageOutput } from './page-output.ts'
import type { PageReport } from './page-report.ts'
import type { PageState } from './protocol.ts'

/** What makes a page in another way than React's stream needs of it. */
export interface PageInMaking {
  /** Whether nothing more is rendered or written. */
  readonly isOver: boolean
  readonly report: PageReport
  readonly output: PageOutput
  /** Ends what makes the page, with a reason. */
  onAbort: ((reason: unknown) => void) | undefined
  /** Lets the page take longer than pages may. */
  clearTimer(): void
  end(): void
  fail(error: unknown): void
}

/** What a page needs of its thread. */
export interface PageThread<Page> {
  readonly module: LoadedModule
  readonly windowBytes: number
  /** Sends what the page has to send, with that of other pages. */
  onDirty(page: Page): void
  /** Calls `render` of the page in its turn. */
  onLoaded(page: Page): void
  /** Notes the state of the page in this slot. */
  mark(slot: number, state: PageState): void
}
