import { printable } from '../cli/terminal.ts'

/**
 * The environment variables of OpenTelemetry that this project reads itself, so that the app loads no library for them. An empty
 * variable counts as absent, and a value with a mistake is ignored with one line on stderr, as the specification demands. Options of
 * our own go before these variables.
 */

export type Signal = 'traces' | 'metrics' | 'logs'

/** The receiver that OpenTelemetry's specification names as the default. */
export const DEFAULT_OTLP_URL = 'http://127.0.0.1:4318'

/**
 * The URL to which a signal is exported. The path of the signal goes before the query of a base URL.
 * @param baseUrl the base URL that an option of ours names
 * @returns undefined if neither the option nor the environment names a receiver
 */
export function otlpUrl(
  signal: Signal,
  baseUrl: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const ofSignal = baseUrl ? undefined : readUrl(`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`, env)
  if (ofSignal) return ofSignal
  const base = baseUrl || readUrl('OTEL_EXPORTER_OTLP_ENDPOINT', env)
  if (!base) return undefined
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/${signal}`
  return url.href
}

/** The text of a wrong URL is not shown, because it may contain a password. */
function readUrl(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const given = env[name]
  if (!given || (/^https?:\/\//i.test(given) && URL.canParse(given))) return given
  warn(`${name} is ignored, because it is no URL such as ${DEFAULT_OTLP_URL}`)
  return undefined
}

/** The headers of requests that export a signal; the variable of the signal overrides the general one. */
export const otlpHeaders = (
  signal: Signal,
  env: NodeJS.ProcessEnv = process.env,
): Record<string, string> => ({
  ...parseHeaders(env.OTEL_EXPORTER_OTLP_HEADERS),
  ...parseHeaders(env[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_HEADERS`]),
})

let ofThisProcess: Readonly<Record<string, string>> | undefined

/** The attributes that the environment of this process adds. It is read once, so a mistake has one line. */
export function resourceAttributes(): Readonly<Record<string, string>> {
  ofThisProcess ??= readResourceAttributes(process.env)
  return ofThisProcess
}

/** The attributes that an environment adds to the resource of the app, `service.name` among them. */
export function readResourceAttributes(env: NodeJS.ProcessEnv): Record<string, string> {
  const { OTEL_RESOURCE_ATTRIBUTES: given = '', OTEL_SERVICE_NAME: service } = env
  return { ...parseAttributes(given), ...(service && { 'service.name': service }) }
}

/** A pair with a mistake is left out, as OpenTelemetry's exporters do it. Its text is not shown, because it is secret. */
function parseHeaders(given = ''): Record<string, string> {
  const pairs = splitList(given).map(pair => {
    try {
      return parsePair(pair)
    } catch {
      return undefined
    }
  })
  return Object.fromEntries(pairs.filter(pair => pair !== undefined))
}

function parseAttributes(given: string): Record<string, string> {
  try {
    return Object.fromEntries(splitList(given).map(parsePair))
  } catch {
    // The specification demands that one mistake discards all attributes.
    warn(
      `OTEL_RESOURCE_ATTRIBUTES is "${given}", and all of it is ignored; key=value,key=value with %XX is expected`,
    )
    return {}
  }
}

const splitList = (given: string): string[] => given.split(',').filter(each => each.trim())

/** @throws when the text is no pair */
function parsePair(pair: string): [key: string, value: string] {
  const [, key, value] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) as unknown as string[]
  return [decodeURIComponent(key as string), decodeURIComponent((value as string).trim())]
}

/** The decision which traces are sampled. */
export interface Sampling {
  /** Whether the sender of a trace that comes with a request decides about it. */
  readonly isParentBased: boolean
  /** Share of the other traces that are sampled, from 0 to 1. */
  readonly ratio: number
}

const DEFAULT_SAMPLER = 'parentbased_always_on'
const SAMPLER = /^(parentbased_)?(always_on|always_off|traceidratio)$/i

/** @param traceRatio the ratio that an option of ours names; a trace that comes with a request is then not affected */
export function readSampling(traceRatio: number | undefined, env: NodeJS.ProcessEnv = process.env): Sampling {
  if (traceRatio !== undefined) return { isParentBased: true, ratio: traceRatio }
  const { OTEL_TRACES_SAMPLER: given, OTEL_TRACES_SAMPLER_ARG: ratio } = env
  const known = SAMPLER.exec(given || DEFAULT_SAMPLER)
  if (!known)
    warn(
      `OTEL_TRACES_SAMPLER is "${given}", and ${DEFAULT_SAMPLER} is used; known are always_on, always_off and traceidratio, also with parentbased_ in front`,
    )
  const [, parentBased, kind] = known ?? (SAMPLER.exec(DEFAULT_SAMPLER) as RegExpExecArray)
  const isParentBased = parentBased !== undefined
  if (kind?.toLowerCase() === 'traceidratio') return { isParentBased, ratio: readRatio(ratio) }
  return { isParentBased, ratio: kind?.toLowerCase() === 'always_on' ? 1 : 0 }
}

function readRatio(given = ''): number {
  const ratio = given.trim() ? Number(given) : 1
  if (ratio >= 0 && ratio <= 1) return ratio
  warn(`OTEL_TRACES_SAMPLER_ARG is "${given}", and 1 is used; a number from 0 to 1 is expected`)
  return 1
}

/** The environment without variables of OpenTelemetry, for measurements that must not depend on them. */
export const withoutOtel = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('OTEL_')))

const warn = (line: string) => void process.stderr.write(`warning: ${printable(line)}\n`)

const HIDDEN = '[redacted]'

/** Leaves out of the URLs in a text what may be secret: user, password and query. */
export const withoutCredentials = (text: string): string =>
  text.replace(/\bhttps?:\/\/\S+/gi, found => {
    const url = URL.parse(found)
    if (!url) return HIDDEN
    const { protocol, host, pathname, search } = url
    return `${protocol}//${host}${pathname}${search && `?${HIDDEN}`}`
  })
