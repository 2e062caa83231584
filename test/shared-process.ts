import { before } from 'node:test'
import { pathToFileURL } from 'node:url'

/** The tests of several files, in one process. The arguments are the paths of these files; `npm test` gives them. */
const { promise: areLoaded, resolve: start } = Promise.withResolvers<void>()
// The first test would otherwise run while the files are loaded, which takes seconds.
before(() => areLoaded)
for (const path of process.argv.slice(2)) await import(pathToFileURL(path).href)
start()
