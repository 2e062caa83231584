import type { Usage } from '../usage.ts'

/** The usage of all instances of an app and of the process that started them. */
export interface InstancesUsage extends Usage {
  readonly instances: readonly Usage[]
  /**
   * The usage of the primary, through which no requests pass: it accepts connections and hands each to an instance.
   */
  readonly primary: Usage['total']
  /** Number of restarts of instances. No sum includes the usage of the instances that died. */
  readonly restarts: number
}

/**
 * Adds up main threads and totals; the total includes the primary. The instances are read at nearly the same time, not
 * at exactly the same time.
 */
export function sumUsages(
  instances: readonly Usage[],
  primary: InstancesUsage['primary'],
  restarts: number,
): InstancesUsage {
  const sum = (of: (usage: Usage) => number) => instances.reduce((total, usage) => total + of(usage), 0)
  const sumIfKnown = (of: (usage: Usage) => number | null) =>
    instances.some(usage => of(usage) === null) ? null : sum(usage => of(usage) as number)
  const taskMicros = sumIfKnown(({ tasks }) => tasks?.cpuMicros ?? null)
  return {
    atMs: sum(({ atMs }) => atMs) / instances.length,
    mainThread: {
      cpuMicros: sum(({ mainThread }) => mainThread.cpuMicros),
      activeMs: sum(({ mainThread }) => mainThread.activeMs),
      idleMs: sum(({ mainThread }) => mainThread.idleMs),
      wakeups: sumIfKnown(({ mainThread }) => mainThread.wakeups),
      allocatedBytes: sumIfKnown(({ mainThread }) => mainThread.allocatedBytes),
      collections: sum(({ mainThread }) => mainThread.collections),
    },
    tasks: taskMicros === null ? null : { cpuMicros: taskMicros },
    children: {
      cpuMicros: sum(({ children }) => children.cpuMicros),
      residentBytes: sum(({ children }) => children.residentBytes),
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
