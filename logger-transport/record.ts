import { resourceAttributes } from '../lib/telemetry/otel-environment.ts'
import { type Resource, resourceNames } from '../lib/telemetry/resource.ts'

/** One line on its way to the targets. */
export interface LogRecord {
  /** A JSON object with the resource in it, without the newline. */
  readonly text: string
  /** The same without what the transport added. */
  readonly line: string
  /** The writer of the line. No field of the line changes it. */
  readonly resource: Partial<Resource>
  readonly malformed: boolean
}

type Fields = Readonly<Record<string, unknown>>

/** At most this many characters are kept of a line that is not a whole JSON object. */
const MAX_RAW_CHARS = 64 * 1024

const names = Object.entries(resourceNames) as readonly (readonly [key: keyof Resource, name: string])[]

/**
 * The fields of a line, for targets that need more than its text. What only repeats the resource is left out. They are not
 * kept, because they take more memory.
 */
export function fieldsOf({ line, resource }: LogRecord): Record<string, unknown> {
  const fields = JSON.parse(line)
  for (const [key, name] of names)
    for (const each of [key, name]) if (fields[each] === resource[key]) delete fields[each]
  return fields
}

/**
 * Adds the resource of its writer to a line. If the line has a field `host` of its own, the host of the resource is
 * `host.name`, its name in OpenTelemetry; and so on. If the writer has no resource, because somebody put lines of a log file into the
 * place of segments, each line says it. A line that is not a JSON object is kept as text in the field `raw`.
 */
export function enrich(read: string, given: Partial<Resource>): LogRecord {
  // Programs write a carriage return behind a line, a byte order mark before the first, or blanks around it.
  const line = read.trim()
  const fields = parseObject(line)
  if (!fields) return describeMalformed(line, given)
  const resource = Object.keys(given).length > 0 ? given : resourceIn(fields)
  return { text: append(line, missingIn(fields, resource)), line, resource, malformed: false }
}

/** The resource that a line contains; empty if a part is missing. What the environment names goes before it. */
function resourceIn(fields: Fields): Partial<Resource> {
  const found = Object.fromEntries(names.map(([key, name]) => [key, fields[name] ?? fields[key]]))
  const isWhole =
    [found.service, found.host, found.instance].every(value => typeof value === 'string') &&
    Number.isInteger(found.pid) &&
    ['string', 'undefined'].includes(typeof found.version)
  if (!isWhole) return {}
  return Object.fromEntries(
    names.filter(([, name]) => !(name in resourceAttributes())).map(([key]) => [key, found[key]]),
  )
}

/** The parts of the resource that a line does not say. Loggers add some themselves, such as `pid`. */
function missingIn(fields: Fields, resource: Partial<Resource>): Fields {
  const missing: Record<string, unknown> = {}
  for (const [key, name] of names) {
    const value = resource[key]
    const isNamed = Object.hasOwn(fields, name)
    if (value === undefined || (isNamed ? fields[name] : fields[key]) === value) continue
    // If the line has both names, the last of two fields of the same name is read.
    missing[isNamed || Object.hasOwn(fields, key) ? name : key] = value
  }
  return missing
}

/** Inserting fields into the text costs less than serializing the whole line again. */
function append(line: string, fields: Fields): string {
  const added = JSON.stringify(fields)
  if (added === '{}') return line
  return /^\{\s*\}$/.test(line) ? added : `${line.slice(0, -1)},${added.slice(1)}`
}

function describeMalformed(raw: string, resource: Partial<Resource>): LogRecord {
  const fields = {
    time: Date.now(),
    level: 'error',
    message: 'a log line was malformed',
    raw: raw.slice(0, MAX_RAW_CHARS),
  }
  const line = JSON.stringify(fields)
  return { text: append(line, missingIn(fields, resource)), line, resource, malformed: true }
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(line)
    return line.startsWith('{') && line.endsWith('}') ? value : undefined
  } catch {
    return undefined
  }
}
