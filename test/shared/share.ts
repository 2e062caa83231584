import { relative } from 'node:path'
import { after, before, beforeEach } from 'node:test'
import { pathToFileURL } from 'node:url'

/** So many processes share the files; together they take longer than any other process. */
const SHARES = 3

/** The files of one of the shares. */
export const shareOf = (files: readonly string[], share: number): string[] =>
  files.filter((_, index) => index % SHARES === share)

/**
 * Runs the tests of a share of the files, in this process. The arguments of the process are the paths of all files; `npm test`
 * gives them.
 */
export async function runShare(share: number): Promise<void> {
  const { promise: areLoaded, resolve: start } = Promise.withResolvers<void>()
  let latest = ''
  let isDone = false
  // The first test would otherwise run while the files are loaded, which takes seconds.
  before(() => areLoaded)
  beforeEach(({ fullName }) => {
    latest = `the test that began last is "${fullName}"`
  })
  after(() => {
    isDone = true
  })

  // An error outside of a test, or an early end, fails the process of all these files. The runner does not say which is to blame.
  const tell = (error: unknown) =>
    process.stderr.write(`outside of a test: ${(error as Error)?.stack ?? error}\n${latest}\n`)
  process.on('uncaughtExceptionMonitor', tell)
  process.on('unhandledRejection', tell)
  process.on('exit', code => isDone || tell(new Error(`the process ended with ${code} before its last test`)))

  for (const path of shareOf(process.argv.slice(2), share)) {
    latest = `while it loaded ${relative(process.cwd(), path)}`
    // Without all files no test may run: the tests of those that are loaded wait for the others.
    await import(pathToFileURL(path).href).catch(error => {
      tell(error)
      process.exit(1)
    })
  }
  start()
}
