import { Readable } from 'node:stream'
import type { EventData } from 'node:test'
import { spec, type TestEvent } from 'node:test/reporters'

const SHOWN = 10

/** A reporter for `node --test`: the reporter `spec`, with a list of the slowest files before its summary. */
// biome-ignore lint/style/noDefaultExport: Node.js loads the default export of a reporter
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  yield* Readable.from(insertSlowest(events)).compose(new spec())
}

async function* insertSlowest(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  const files: EventData.TestComplete[] = []
  for await (const event of events) {
    if (event.type === 'test:complete' && isFile(event.data)) files.push(event.data)
    if (event.type === 'test:diagnostic' && beginsSummary(event.data)) yield list(files)
    yield event
  }
}

/** Each file is a test of its own, named by its path; for the tests in the file, only `file` has that path. */
const isFile = ({ name, nesting, file }: EventData.TestComplete) =>
  nesting === 0 && file !== undefined && file.endsWith(name)

const beginsSummary = ({ message, file }: EventData.TestDiagnostic) =>
  file === undefined && /^tests \d+$/.test(message)

function list(files: readonly EventData.TestComplete[]): TestEvent {
  const slowest = files.toSorted((a, b) => b.details.duration_ms - a.details.duration_ms).slice(0, SHOWN)
  const lines = slowest.map(
    ({ name, details }) => `${(details.duration_ms / 1000).toFixed(1).padStart(7)}  ${name}\n`,
  )
  const message = `The files that took longest, in seconds:\n${lines.join('')}`
  return { type: 'test:stdout', data: { file: '', message } }
}
