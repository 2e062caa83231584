import { performance } from 'node:perf_hooks'

const PROBE_MS = 300

/**
 * Computes for a moment to find out how busy the machine is.
 * @returns how many times longer a computation takes now than on an idle machine, at least 1
 */
export function measureSlowdown(): number {
  const before = process.threadCpuUsage()
  const startedAtMs = performance.now()
  while (performance.now() - startedAtMs < PROBE_MS);
  const clockMicros = (performance.now() - startedAtMs) * 1000
  const { user, system } = process.threadCpuUsage(before)
  return Math.max(1, clockMicros / (user + system))
}
