import { relative } from 'node:path'
import { Readable } from 'node:stream'
import type { EventData } from 'node:test'
import { spec, type TestEvent } from 'node:test/reporters'

const SHOWN = 10

/** The reporter `spec`, with a list of the slowest files before its summary. */
export async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  yield* Readable.from(insertSlowest(events)).compose(new spec())
}

async function* insertSlowest(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  const durationsMs = new Map<string, number>()
  for await (const event of events) {
    if (event.type === 'test:complete' && event.data.nesting === 0) count(durationsMs, event.data)
    if (event.type === 'test:diagnostic' && beginsSummary(event.data)) yield list(durationsMs)
    yield event
  }
}

/**
 * Each process is a test of its own after the tests in it. It is named by its file, and its duration replaces that of
 * the tests. A file that shares the process of others has only its tests.
 */
function count(durationsMs: Map<string, number>, { name, file, details }: EventData.TestComplete): void {
  if (file === undefined) return
  const isProcess = file.endsWith(name)
  durationsMs.set(file, (isProcess ? 0 : (durationsMs.get(file) ?? 0)) + details.duration_ms)
}

const beginsSummary = ({ message, file }: EventData.TestDiagnostic) =>
  file === undefined && /^tests \d+$/.test(message)

function list(durationsMs: ReadonlyMap<string, number>): TestEvent {
  const slowest = [...durationsMs].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN)
  const lines = slowest.map(
    ([file, ms]) => `${(ms / 1000).toFixed(1).padStart(7)}  ${relative(process.cwd(), file)}\n`,
  )
  const message = `The files that took longest, in seconds:\n${lines.join('')}`
  return { type: 'test:stdout', data: { file: '', message } }
}
