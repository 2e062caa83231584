import { pathToFileURL } from 'node:url'

/** The tests of several files, in one process. The arguments are the paths of these files; `npm test` gives them. */
for (const path of process.argv.slice(2)) await import(pathToFileURL(path).href)
