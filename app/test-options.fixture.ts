import { after, before, type TestContext, type TestFn, test } from 'node:test'
import { monotonicMs } from '../lib/units.ts'
import { RequestContext } from './context.ts'
import type { Problem } from './problems.ts'

/** A test takes less time than this on any machine, however busy. */
const LONG_MS = 60_000

/** Time limits that no test reaches. */
export const patience = { requestTimeoutMs: LONG_MS, ordersTimeoutMs: LONG_MS, partTimeoutMs: LONG_MS }

/** The context of a request that has time enough. */
export const newContext = ({ requestId = 'a-request', timeoutMs = LONG_MS } = {}) =>
  new RequestContext(requestId, monotonicMs() + timeoutMs)

/** Whether an error is the problem with this code, for `assert.rejects`. */
export const hasCode = (code: string) => (error: unknown) => (error as Problem).code === code

/**
 * A test of one promise of a contract. An implementation that says why it does not keep the promise is not tried: the
 * promise is listed, and counts as "todo" and not as "skipped", which means that this machine lacks something.
 * @param unkept why the implementation does not keep the promise
 */
export function testPromise(name: string, unkept: string | undefined, body: TestFn): void {
  if (unkept === undefined) test(name, body)
  else test(name, { todo: unkept })
}

/** A test, or a suite, that closes what it has started. */
export type Closing = Pick<TestContext, 'after'>

/**
 * Starts something once for all tests of a suite, and closes it after the last of them: a thread or a process takes longer to start
 * than most tests.
 * @returns a function for the tests, which returns what was started
 */
export function startOnce<Started>(start: (suite: Closing) => Promise<Started>): () => Started {
  const closing: (() => unknown)[] = []
  let started: Started
  before(async () => {
    started = await start({ after: close => void closing.push(close as () => unknown) })
  })
  after(async () => {
    for (const close of closing) await close()
  })
  return () => started
}
