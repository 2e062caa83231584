import type { TestContext } from 'node:test'

/**
 * Catches what a target writes to stdout before `deliver` returns. Later writes go on to stdout, because those may be results
 * that the test runner reports.
 * @param error the error with which each write fails
 * @returns the texts that were written, once they are delivered
 */
export async function captureStdout(
  t: TestContext,
  deliver: () => Promise<unknown>,
  error?: Error,
): Promise<readonly string[]> {
  const written: string[] = []
  const write = t.mock.method(process.stdout, 'write', (text: string, done: (error?: Error) => void) => {
    written.push(text)
    done(error)
  })
  const delivery = deliver()
  write.mock.restore()
  await delivery
  return written
}
