import { relative } from 'node:path'
import { Readable } from 'node:stream'
import type { EventData } from 'node:test'
import { spec, type TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

const SHOWN = 10

/**
 * The reporter `spec`, with a list of the slowest files before its summary.
 * @param isBrief shows failures, a line for each process, and the summary
 */
export async function* report(events: AsyncIterable<TestEvent>, isBrief: boolean): AsyncGenerator<string> {
  const all = insertSlowest(events)
  if (isBrief) yield* tellBriefly(all)
  else yield* Readable.from(all).compose(new spec())
}

async function* tellBriefly(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failed = new Set<string>()
  for await (const { type, data } of events) {
    if (type === 'test:stdout' || type === 'test:stderr') yield data.message
    else if (type === 'test:diagnostic' && data.file === undefined) yield `ℹ ${data.message}\n`
    else if (type === 'test:fail' && data.file !== undefined && isOwnFailure(data)) {
      failed.add(data.file)
      const error = inspect(data.details.error.cause ?? data.details.error)
      yield `✖ ${relative(process.cwd(), data.file)}: ${data.name}\n${error.replaceAll(/^/gm, '  ')}\n`
    } else if (type === 'test:complete' && isProcess(data))
      yield `${failed.has(data.file) ? '✖' : '✔'} ${relative(process.cwd(), data.file)} (${(data.details.duration_ms / 1000).toFixed(1)} s)\n`
  }
}

/** A suite fails because of its tests, which say why. */
const isOwnFailure = ({ details }: EventData.TestFail): boolean =>
  (details.error as { failureType?: string }).failureType !== 'subtestsFailed'

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
  durationsMs.set(file, (file.endsWith(name) ? 0 : (durationsMs.get(file) ?? 0)) + details.duration_ms)
}

const isProcess = (data: EventData.TestComplete): data is EventData.TestComplete & { file: string } =>
  data.nesting === 0 && data.file?.endsWith(data.name) === true

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
