import type { LogFields, LogLevel } from '../lib/telemetry/logger.ts'

/** A log line of a task. It is sent with the reply and written in the context of the request. */
export interface TaskLine {
  readonly level: LogLevel
  readonly message: string
  readonly fields: LogFields
}

let lines: TaskLine[] = []

/** Writes a log line from within a task, wherever it runs. */
export function logFromTask(level: LogLevel, message: string, fields: LogFields = {}): void {
  lines.push({ level, message, fields })
}

/** Returns the log lines of the task that has just ended; undefined if there are none, so that nothing is sent. */
export function takeTaskLines(): readonly TaskLine[] | undefined {
  if (lines.length === 0) return undefined
  const taken = lines
  lines = []
  return taken
}
