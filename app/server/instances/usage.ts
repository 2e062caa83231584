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
  const { atMs, total, ...others } = instances.reduce(add)
  return {
    ...others,
    atMs: atMs / instances.length,
    total: add(total, primary),
    instances,
    primary,
    restarts,
  }
}

/** Adds each number of two usages, or of parts of them; what one of them does not know is null. */
function add<Part>(one: Part, other: Part): Part {
  if (one === null || other === null) return null as Part
  if (typeof one === 'number') return (one + Number(other)) as Part
  const others = other as Record<string, unknown>
  const sums = Object.entries(one as object).map(([key, value]) => [key, add(value, others[key])])
  return Object.fromEntries(sums) as Part
}
