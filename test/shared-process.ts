import { relative } from 'node:path'
import { after, before, beforeEach } from 'node:test'
import { pathToFileURL } from 'node:url'

/** The tests of several files, in one process. The arguments are the paths of these files; `npm test` gives them. */
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

for (const path of process.argv.slice(2)) {
  latest = `while it loaded ${relative(process.cwd(), path)}`
  // Without all files no test may run: the tests of those that are loaded wait for the others.
  await import(pathToFileURL(path).href).catch(error => {
    tell(error)
    process.exit(1)
  })
}
start()
