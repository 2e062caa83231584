import type { ChildProcess } from 'node:child_process'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { askProgram, startNode } from '../process/attach.fixture.ts'

/** The share of each part, by its name in the program. */
export type Parts = Readonly<Record<string, number>>

/**
 * A function that is busy for this long, in code of the file that it stands in. The kernel counts the CPU time of a thread in
 * ticks of several milliseconds, so the clock of the wall is read: waiting for a core makes all parts longer alike.
 */
const BURN = `function burn(ms) {
  const end = performance.now() + ms
  let sum = 0
  while (performance.now() < end) for (let n = 0; n < 1000; n++) sum += n % 7
  return sum
}`

/**
 * Runs all parts again and again, and measures the time of each. On each line that it gets, it prints the times since
 * the start.
 */
const MAIN = `
const text = JSON.stringify(Array.from({ length: 4000 }, (_, id) => ({ id, name: 'order ' + id, total: id * 1.5 })))
const parts = {
  own: () => own(3),
  left: () => left(2),
  pino: () => pino(2),
  json: () => JSON.stringify(JSON.parse(text)),
  crypto: () => pbkdf2Sync('secret', 'salt', 4000, 32, 'sha256'),
}
const totals = {}
setInterval(() => {
  for (const [name, part] of Object.entries(parts)) {
    const before = performance.now()
    part()
    totals[name] = (totals[name] ?? 0) + performance.now() - before
  }
}, 1)
`
const IMPORTS = `import { pbkdf2Sync } from 'node:crypto'
import { burn as left } from 'left'
import { burn as pino } from 'pino'
import { burn as own } from './own.ts'
`
const REPORT = "process.stdin.on('data', () => console.log(JSON.stringify(totals)))\nconsole.log('ready')\n"

/** Writes the program to a directory of its own. @returns the path of its main file */
export function writeProgram(t: TestContext): string {
  const packages = ['left', 'pino'].flatMap(name => [
    [`node_modules/${name}/package.json`, `{ "name": "${name}", "version": "1.0.0" }`],
    [`node_modules/${name}/index.js`, `${BURN}\nexports.burn = burn`],
  ])
  const directory = temporaryDirectory(t, {
    'package.json': '{ "name": "known-parts" }',
    'src/own.ts': `export ${BURN.replace('(ms)', '(ms: number): number')}`,
    'src/main.mjs': IMPORTS + MAIN + REPORT,
    ...Object.fromEntries(packages),
  })
  return join(directory, 'src/main.mjs')
}

/** Starts a program in its folder and waits until it runs. */
export const startProgram = (t: TestContext, file: string): Promise<ChildProcess> =>
  startNode(t, [file], dirname(dirname(file)))

/** Asks a program for the time of its parts since it started, in milliseconds. */
export const askTotals = (child: ChildProcess): Promise<Parts> => askProgram(child)
