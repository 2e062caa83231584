import type { LogFields, LogLevel } from '../lib/log-line.ts'

/** A line that a task logged. It goes back with the task's answer and is written in the context of its request. */
export interface TaskLine {
  readonly level: LogLevel
  readonly message: string
  readonly fields: LogFields
}

let lines: TaskLine[] = []

/** Logs from within a task, wherever it runs. */
export function logFromTask(level: LogLevel, message: string, fields: LogFields = {}): void {
  lines.push({ level, message, fields })
}

/** What the task that has just ended logged; undefined when that is nothing, so that nothing has to travel. */
export function takeTaskLines(): readonly TaskLine[] | undefined {
  if (lines.length === 0) return undefined
  const taken = lines
  lines = []
  return taken
}
