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

/** The words of our loggers, of others and of syslog. */
const words: Readonly<Record<LogLevel, string>> = {
  fatal: 'fatal emerg emergency panic alert crit critical',
  error: 'error err',
  warn: 'warn warning',
  info: 'info notice information informational',
  debug: 'debug http verbose',
  trace: 'trace silly',
}
const levelOfWord = new Map(
  logLevels.flatMap(level => words[level].split(' ').map(word => [word, level] as const)),
)

/**
 * The level that a line of any logger names, by a word in any case, or by the nearest number; the less important of two
 * that are as near. Undefined for an unknown word and for anything else.
 */
export function levelOf(given: unknown): LogLevel | undefined {
  if (typeof given === 'number') return nearestLevel(given)
  if (typeof given !== 'string') return undefined
  if (/^\d+$/.test(given)) return nearestLevel(Number(given))
  return levelOfWord.get(given.toLowerCase())
}

function nearestLevel(number: number): LogLevel {
  const tens = Math.min(Math.max(Math.ceil(number / 10 - 0.5), 1), logLevels.length)
  return logLevels[logLevels.length - tens] as LogLevel
}
