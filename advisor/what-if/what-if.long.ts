import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { findFreePort } from '../../lib/http/listen.ts'

/** A service whose requests write twenty lines, and call `burn` once. */
const SERVICE = `
import { createServer } from 'node:http'
function burn() {
  let sum = 0
  for (let turn = 0; turn < 300_000; turn++) sum = (sum + turn * 7) & 0xffff
  return sum
}
let count = 0
const answer = response => {
  for (let line = 0; line < 20; line++) console.log(count, line)
  count++
  response.end(String(burn()))
}
createServer((_, response) => answer(response)).listen(process.env.PORT)
process.on('SIGTERM', () => process.exit())
`

/** Tries a change in the service. @returns the answer, and the lines that the service has written */
async function tryIt(t: TestContext, ...change: readonly string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'what-if-'))
  t.after(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, 'service.mjs'), SERVICE)
  const PORT = String(await findFreePort())
  const words = ['what-if', ...change, '--json', '--url', `http://127.0.0.1:${PORT}/`, '--warmup', '2s']
  const command = ['--', 'sh', '-c', `"${process.execPath}" service.mjs > lines.txt`]
  const main = join(import.meta.dirname, '../main.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...words, ...command], {
    cwd: directory,
    env: { ...process.env, PORT },
  })
  return {
    ...JSON.parse(stdout),
    lines: readFileSync(join(directory, 'lines.txt'), 'utf8').trim().split('\n'),
  }
}

test('without the cost of stdout a request is cheaper, and no line is lost or out of order', async t => {
  const { comparisons, lines } = await tryIt(t, '--free', 'stdout', '--for', '16s')
  t.diagnostic(JSON.stringify(comparisons[0]))
  assert.ok(comparisons[0].ratio.ratio < 1)
  const expected = lines.map((_: string, index: number) => `${Math.floor(index / 20)} ${index % 20}`)
  assert.deepEqual(lines, expected)
})

test('a function is slowed by a known time, and the slope tells what the service costs without it', async t => {
  const { comparisons, slowed } = await tryIt(t, '--slow', 'burn service.mjs', '--for', '20s')
  t.diagnostic(JSON.stringify({ cost: comparisons[0], slowed }))
  assert.equal(comparisons[0].ratio.verdict, 'slower')
  assert.ok(Math.abs(slowed.calls - 1) < 0.2, `${slowed.calls} calls a request`)
  const [low, high] = slowed.without
  assert.ok(
    low < 1 - slowed.share && 1 - slowed.share < high,
    `${low} to ${high}, and the profile says ${1 - slowed.share}`,
  )
})
