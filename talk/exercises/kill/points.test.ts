import { fork } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { followSegments } from '../../../logger-transport/follow.ts'
import { segmentLimits } from '../../../logger-transport/main-thread/segment-limits.ts'
import { SegmentWriter } from '../../../logger-transport/main-thread/segment-writer.ts'
import { Metrics } from '../../../logger-transport/metrics.ts'
import { fieldsOf } from '../../../logger-transport/record.ts'
import { temporaryDirectory } from '../../../test/temporary-directory.ts'
import { expectPoints } from '../point.fixture.ts'

/** A check starts processes of Node.js, which takes its time on a busy machine. */
const PROCESSES_LIMIT_MS = 30_000
const WRITER = 'logger-transport/main-thread/segment-writer.ts'
const TRANSPORT = 'logger-transport/follow.ts'
const LINES = 3

/** Runs a program beside this file until it sends a message, and kills it then. @throws when it ends by itself */
async function killAtMessage(program: string, ...args: readonly string[]): Promise<void> {
  const child = fork(join(import.meta.dirname, program), args)
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${program} ended by itself with ${code}`)
  })
  try {
    await Promise.race([once(child, 'message'), ended])
  } finally {
    ended.catch(() => {})
    child.kill('SIGKILL')
  }
  await ended.catch(() => {})
}

/** Writes lines as an app does that stops in order. */
async function writeLines(directory: string): Promise<void> {
  const resource = { service: 'app', version: '1', host: 'h', pid: 1, instance: 'stopped' }
  const listener = { onTrouble() {}, onMoved() {} }
  const writer = new SegmentWriter(directory, resource, segmentLimits(2 ** 20, 2 ** 24), listener)
  for (let line = 1; line <= LINES; line++) writer.write(`{"line":${line}}\n`)
  await writer.close()
}

/** Starts a transport that delivers all lines that are left, and ends. @returns the numbers of the lines */
async function deliverRest(logDirectory: string): Promise<unknown[]> {
  const delivered: unknown[] = []
  const deliver = async (records: readonly Parameters<typeof fieldsOf>[0][]) => {
    delivered.push(...records.map(record => fieldsOf(record).line))
    return []
  }
  await followSegments({
    logDirectory,
    targets: [{ name: 'one', deliver, close: async () => {} }],
    metrics: new Metrics(),
    silentAfterMs: 3_600_000,
    finish: AbortSignal.abort(),
  })
  return delivered
}

async function seeKilledApp(directory: string) {
  await killAtMessage('killed-app.fixture.ts', directory, String(LINES))
  const [segment] = globSync('killed/*.ndjson', { cwd: directory })
  const text = segment ? readFileSync(join(directory, segment), 'utf8') : ''
  const lines = text.split('\n').length - 1
  return lines < LINES
    ? `${lines} of ${LINES} lines are in a file: the app was idle, and they were still in its memory`
    : undefined
}

async function seeKilledTransport(directory: string) {
  await writeLines(directory)
  await killAtMessage('killed-transport.fixture.ts', directory)
  const delivered = await deliverRest(directory)
  return delivered.length < LINES
    ? `the next transport delivered ${delivered.length} of ${LINES} lines, and took the others for delivered`
    : undefined
}

async function seeAgain(directory: string) {
  await writeLines(directory)
  await deliverRest(directory)
  const again = await deliverRest(directory)
  return again.length > 0 ? `the next transport delivered ${again.length} lines a second time` : undefined
}

expectPoints([
  {
    expects: `the ${LINES} lines of an app that has gone quiet are in a file when it is killed`,
    look: `${WRITER}: what makes a line leave the process if no further line comes?`,
    limitMs: PROCESSES_LIMIT_MS,
    see: () => seeKilledApp(temporaryDirectory({ after })),
  },
  {
    expects:
      'lines that a target had not confirmed when the transport was killed are delivered by the next transport',
    look: `${TRANSPORT}: \`advance\` delivers lines and saves the checkpoint. In which order?`,
    limitMs: PROCESSES_LIMIT_MS,
    see: () => seeKilledTransport(temporaryDirectory({ after })),
  },
  {
    expects: 'lines that a target has confirmed are not delivered again',
    look: `${TRANSPORT}: the checkpoint has to be saved after the delivery`,
    limitMs: PROCESSES_LIMIT_MS,
    see: () => seeAgain(temporaryDirectory({ after })),
  },
])
