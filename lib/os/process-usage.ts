/** CPU time and memory that a process has used since it started. */
export interface ProcessUsage {
  /** User and system time of all its threads. */
  readonly cpuMicros: number
  readonly residentBytes: number
}

export function readProcessUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage()
  return { cpuMicros: user + system, residentBytes: process.memoryUsage.rss() }
}
