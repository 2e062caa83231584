import { relative } from 'node:path'
import { Readable } from 'node:stream'
import type { EventData } from 'node:test'
import { spec, type TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/**
 * The reporter `spec`.
 * @param isBrief shows failures, a line for each process, and the summary instead
 */
export async function* report(events: AsyncIterable<TestEvent>, isBrief: boolean): AsyncGenerator<string> {
  if (isBrief) yield* tellBriefly(events)
  else yield* Readable.from(events).compose(new spec())
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

/** Each process is a test of its own after the tests in it, and is named by its file. */
const isProcess = (data: EventData.TestComplete): data is EventData.TestComplete & { file: string } =>
  data.nesting === 0 && data.file?.endsWith(data.name) === true
