import { join } from 'node:path'
import { run } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { wrap } from '../../lib/cli/terminal.ts'
import type { NumberedExercise } from './exercises.ts'

const COLUMNS = 100

/** Tests the points of an exercise in a process of their own, and writes what is missing. @returns the number of missing points */
export async function check({ name }: NumberedExercise): Promise<number> {
  let missing = 0
  const file = join(import.meta.dirname, name, 'points.test.ts')
  // Code of the learner may leave a thread or a timer behind.
  const events: AsyncIterable<TestEvent> = run({ files: [file], forceExit: true })
  for await (const { type, data } of events) {
    if (type === 'test:stdout' || type === 'test:stderr') process.stdout.write(data.message)
    else if (type === 'test:pass') writeLabelled('  ok      ', data.name)
    else if (type === 'test:fail') {
      missing++
      writeLabelled('  not yet ', data.name)
      writeLabelled('    seen  ', describeError(data.details.error.cause))
    } else if (type === 'test:diagnostic' && data.file !== undefined)
      writeLabelled('    look  ', data.message)
  }
  return missing
}

function writeLabelled(label: string, text: string): void {
  for (const [index, line] of wrap(text, COLUMNS - label.length).entries())
    process.stdout.write(`${index === 0 ? label : ' '.repeat(label.length)}${line}\n`)
}

/** The finding of a point, or an error in one line, with the place where it was thrown. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ((error as NodeJS.ErrnoException).code === 'ERR_ASSERTION') return error.message
  const place = /\(?(?:file:\/\/)?(\/[^()]*:\d+):\d+\)?$/m.exec(error.stack ?? '')?.[1]
  return `${error.name}: ${error.message}${place ? `, thrown at ${place}` : ''}`
}
