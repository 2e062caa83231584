import { type Implementation, namesOf } from '../../concerns.ts'

/** Implementations whose tasks run on other machines, and why suites for all leave them to tests of their own. */
const elsewhere: Readonly<Record<string, string>> = {
  nats: 'it needs a server of NATS and a worker',
}

/** The implementations of compute that need nothing outside of the app. */
export const computesHere: readonly Implementation<'compute'>[] = namesOf('compute').filter(
  name => !(name in elsewhere),
)
