import type { Resource } from '../lib/telemetry/resource.ts'

/** One line on its way to the targets. */
export interface LogRecord {
  /** A JSON object with the resource in it, without the newline. */
  readonly text: string
  readonly malformed: boolean
}

/** At most this many characters are kept of a line that is not a whole JSON object. */
const MAX_RAW_CHARS = 64 * 1024

/** The fields of a record, for targets that need more than its text. They are not kept, because they take more memory. */
export const fieldsOf = ({ text }: LogRecord): Readonly<Record<string, unknown>> => JSON.parse(text)

/** Adds the resource of the writer to a line. A line that is not a JSON object is kept as text in the field `raw`. */
export function enrich(line: string, resource: Partial<Resource>): LogRecord {
  const fields = parseObject(line)
  if (!fields) return describeMalformed(line, resource)
  if ('instance' in fields) return { text: line, malformed: false }
  const own = JSON.stringify(missingIn(fields, resource))
  if (own === '{}') return { text: line, malformed: false }
  // Inserting the resource into the text costs less than serializing the whole line again.
  const text = line.length > 2 ? `${line.slice(0, -1)},${own.slice(1)}` : own
  return { text, malformed: false }
}

/** The fields of the resource that a line lacks. Loggers add some themselves, such as `pid`. */
const missingIn = (fields: object, resource: Partial<Resource>) =>
  Object.fromEntries(Object.entries(resource).filter(([key]) => !(key in fields)))

function describeMalformed(line: string, resource: Partial<Resource>): LogRecord {
  const fields = {
    time: Date.now(),
    level: 'error',
    message: 'a log line was malformed',
    raw: line.slice(0, MAX_RAW_CHARS),
    ...resource,
  }
  return { text: JSON.stringify(fields), malformed: true }
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(line)
    return line.startsWith('{') && line.endsWith('}') ? value : undefined
  } catch {
    return undefined
  }
}
