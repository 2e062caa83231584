import type { Usage } from '../usage.ts'

/** What all instances of an app have used, and the process that started them. */
export interface InstancesUsage extends Usage {
  readonly instances: readonly Usage[]
  /** It accepts connections and hands each to an instance; requests do not pass through it. */
  readonly primary: Usage['total']
  /** How often an instance was started again. What the one that died had used is in no sum. */
  readonly restarts: number
}

/** Main threads and totals added up; the primary is in the total. Instances are read at nearly, not exactly, one time. */
export function sumUsages(
  instances: readonly Usage[],
  primary: InstancesUsage['primary'],
  restarts: number,
): InstancesUsage {
  const sum = (of: (usage: Usage) => number) => instances.reduce((total, usage) => total + of(usage), 0)
  return {
    atMs: sum(({ atMs }) => atMs) / instances.length,
    mainThread: {
      cpuMicros: sum(({ mainThread }) => mainThread.cpuMicros),
      activeMs: sum(({ mainThread }) => mainThread.activeMs),
      idleMs: sum(({ mainThread }) => mainThread.idleMs),
    },
    total: {
      cpuMicros: primary.cpuMicros + sum(({ total }) => total.cpuMicros),
      residentBytes: primary.residentBytes + sum(({ total }) => total.residentBytes),
    },
    instances,
    primary,
    restarts,
  }
}
