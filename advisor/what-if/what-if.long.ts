import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { findFreePort } from '../../lib/http/listen.ts'
import { temporaryDirectory } from '../../test/temporary-directory.ts'

/** A service whose requests write twenty lines, and call `burn` once. Its statement `debugger` must not stop it. */
const SERVICE = `
import { createServer } from 'node:http'
function burn() {
  let sum = 0
  for (let turn = 0; turn < 300_000; turn++) sum = (sum + turn * 7) & 0xffff
  return sum
}
let count = 0
const answer = response => {
  debugger
  for (let line = 0; line < 20; line++) console.log(count, line)
  count++
  response.end(String(burn()))
}
createServer((_, response) => answer(response)).listen(process.env.PORT)
process.on('SIGTERM', () => process.exit())
`

/** Under load, a turn without the instrumentation still sends spans of the turn before, and collects their garbage. */
const [LEAST_TOLD, MOST_TOLD] = [0.9, 1.6]
/** The share is of another window than the slope. */
const NEAR = 0.1

/** Asks a command about the service. @returns the answer, and the lines that the service has written */
async function ask(t: TestContext, ...command: readonly string[]) {
  const directory = temporaryDirectory(t, { 'service.mjs': SERVICE })
  const answer = await run(directory, command, `"${process.execPath}" service.mjs > lines.txt`)
  return { ...answer, lines: readFileSync(join(directory, 'lines.txt'), 'utf8').trim().split('\n') }
}

/** Runs a command of the advisor on a service. @param service a command of the shell */
async function run(cwd: string, command: readonly string[], service?: string) {
  const PORT = String(await findFreePort())
  const subject = service ? ['--url', `http://127.0.0.1:${PORT}/`, '--', 'sh', '-c', service] : []
  const words = [join(import.meta.dirname, '../main.ts'), ...command, '--json', '--warmup', '2s', ...subject]
  const env = { ...process.env, PORT }
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd, env, maxBuffer: 2 ** 27 })
  return JSON.parse(stdout)
}

test('without the cost of stdout a request is as cheap as predicted, and no line is lost or out of order', async t => {
  const { comparisons, lines } = await ask(t, 'what-if', '--free', 'stdout', '--for', '16s')
  const { verdict } = await ask(t, 'spectrum', '--for', '8s')
  const logging = verdict.advice.find(({ concern }: { concern: string }) => concern === 'logging')
  const { ratio, ci95 } = comparisons[0].ratio
  t.diagnostic(JSON.stringify({ ratio, ci95, predicted: logging.costAtBestRange }))
  assert.ok(ratio < 1)
  assert.ok(ci95[1] >= logging.costAtBestRange[0] && ci95[0] <= logging.costAtBestRange[1])
  const expected = lines.map((_: string, index: number) => `${Math.floor(index / 20)} ${index % 20}`)
  assert.deepEqual(lines, expected)
})

test('a function is slowed by a known time, and the slope tells what the service costs without it', async t => {
  const { comparisons, slowed } = await ask(t, 'what-if', '--slow', 'burn service.mjs', '--for', '20s')
  t.diagnostic(JSON.stringify({ cost: comparisons[0], slowed }))
  assert.equal(comparisons[0].ratio.verdict, 'slower')
  assert.ok(Math.abs(slowed.calls - 1) < 0.2, `${slowed.calls} calls a request`)
  const [low, high] = slowed.without
  const expected = 1 - slowed.share
  assert.ok(
    low - NEAR < expected && expected < high + NEAR,
    `${low} to ${high}, and the profile says ${1 - slowed.share}`,
  )
})

test("without OpenTelemetry's instrumentations a request costs what it costs in a service that has none", async t => {
  const service = `"${process.execPath}" "${join(import.meta.dirname, 'instrumented.fixture.ts')}"`
  const [before, after] = [`exec ${service}`, `exec env PLAIN=1 ${service}`]
  const free = await run('.', ['what-if', '--free', 'apm', '--for', '16s'], before)
  const left = await run('.', ['versus', '--before', before, '--after', after, '--blocks', '5'])
  const [told, measured] = [free, left].map(({ comparisons }) => comparisons[0].ratio)
  t.diagnostic(JSON.stringify({ told, measured, changed: free.changed }))
  assert.ok(told.ci95[1] > LEAST_TOLD * measured.ci95[0] && told.ci95[0] < MOST_TOLD * measured.ci95[1])
  assert.ok(told.ratio < 1 - (1 - measured.ratio) / 2)
})
