import { type LogLevel, logLevels } from '../lib/telemetry/logger.ts'

/** The numbers that stand for the levels in lines of many loggers. */
export const levelNumbers: Readonly<Record<LogLevel, number>> = {
  fatal: 60,
  error: 50,
  warn: 40,
  info: 30,
  debug: 20,
  trace: 10,
}

/** Words of other loggers and of syslog. */
const otherWords: ReadonlyMap<string, LogLevel> = new Map([
  ...(['emerg', 'emergency', 'panic', 'alert', 'crit', 'critical'] as const).map(
    word => [word, 'fatal'] as const,
  ),
  ['err', 'error'],
  ['warning', 'warn'],
  ...(['notice', 'information', 'informational'] as const).map(word => [word, 'info'] as const),
  ...(['http', 'verbose'] as const).map(word => [word, 'debug'] as const),
  ['silly', 'trace'],
])

/**
 * The level that a line of any logger names, by a word in any case, or by the nearest number; the less important of two
 * that are as near. Undefined for an unknown word and for anything else.
 */
export function levelOf(given: unknown): LogLevel | undefined {
  if (typeof given === 'number') return nearestLevel(given)
  if (typeof given !== 'string') return undefined
  if (/^\d+$/.test(given)) return nearestLevel(Number(given))
  const word = given.toLowerCase()
  return logLevels.find(level => level === word) ?? otherWords.get(word)
}

function nearestLevel(number: number): LogLevel {
  const tens = Math.min(Math.max(Math.ceil(number / 10 - 0.5), 1), logLevels.length)
  return logLevels[logLevels.length - tens] as LogLevel
}
