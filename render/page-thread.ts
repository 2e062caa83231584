import type { LoadedModule } from './app-module.ts'
import type { PageState } from './protocol.ts'

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
