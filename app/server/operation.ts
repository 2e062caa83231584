import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { mainThreadQueue, WatchedQueue } from '../../lib/main-thread/watched-queue.ts'
import { runningDelay } from '../../lib/os/running-time.ts'
import type { Counts } from '../../lib/processes/protocol.ts'
import type { AdminRoutes } from '../admin.ts'
import { isNeeded } from '../concerns.ts'
import type { AppConfig } from '../config.ts'
import type { Concerns } from '../create-concerns.ts'
import type { Route } from '../route.ts'
import { addFaultRoutes } from './faults/fault-routes.ts'
import { Faults } from './faults/faults.ts'
import { createOtherRoutes } from './other-routes.ts'
import { AdmissionControl } from './overload/admission.ts'
import { Refusals } from './overload/refusals.ts'
import { watchPools } from './pools.ts'
import { RequestMeter } from './pulse/request-meter.ts'
import { describeApp, startPulse } from './pulse/send-pulses.ts'
import { RequestHooks, type RunningRoutes } from './request-hooks.ts'
import { readUsage } from './usage.ts'

/**
 * How long idle connections stay open after another process has taken over the same socket. There is no hurry then, so
 * nearly every client asks once more in this time, and the answer closes its connection.
 */
const HANDOVER_MS = 1000

/**
 * Operates the service, in the same way at every step: admission, deadlines, limits, admin routes, faults, and the figures of the live
 * page. The branch of a step does without.
 * @param routes gets further routes
 */
export function startOperation(config: AppConfig, concerns: Concerns, routes: Route[]) {
  const { apm, logging, compute, rendering, guard, composition } = concerns
  const { logger } = logging
  const refusals = new Refusals(logger)
  apm.watch(refusals.readPoints)
  apm.watch(guard.readPoints)
  const readCounts = (): Counts => ({ logLines: logging.counts(), ...apm.counts() })
  const pools = watchPools(concerns)
  const faults = config.faults ? new Faults(concerns) : undefined
  const meter = isNeeded('apm-agent', composition) ? new RequestMeter() : undefined
  const stopPulse =
    meter &&
    startPulse({
      app: describeApp(composition),
      apmSocket: config.apmSocket,
      meter,
      pools: Object.values(pools),
      readCounts,
      readFaults: () => faults?.readPulse() ?? [],
    })
  let isReady = true
  routes.push(...createOtherRoutes({ ...concerns, isReady: () => isReady }))

  return {
    hooks: new RequestHooks({
      meter,
      admission: new AdmissionControl(config, {
        compute: new WatchedQueue(compute.operated?.queue ?? mainThreadQueue, pools.compute.done),
        rendering: new WatchedQueue(rendering.operated?.queue ?? mainThreadQueue, pools.rendering.done),
        upstream: new WatchedQueue(guard.queue, { runMs: 0 }),
      }),
      refusals,
    }),
    readCounts,
    /**
     * How the public server listens. Processes that share a bound socket accept connections by chance, and none is lost as long as
     * one of them has it open.
     */
    sharing: { fd: config.listenFd },
    handover: config.listenFd === undefined ? {} : { arrivalMs: HANDOVER_MS },
    protect(server: Server) {
      server.maxConnections = config.maxConnections
    },
    /** Operators read CPU accounting, and the log lines, spans and metric points emitted and dropped so far. */
    addAdminRoutes(admin: AdminRoutes) {
      admin.set('GET /usage', () => readUsage(compute.operated))
      admin.set('GET /counts', readCounts)
      admin.set('GET /process', () => ({ pid: process.pid, composition }))
      if (faults) addFaultRoutes(admin, faults)
    },
    async stopping() {
      isReady = false
      faults?.close()
      await delay(config.unreadyMs)
    },
    async close(running: RunningRoutes) {
      // A client that has gone has closed its connection, but its route may still run, write log lines and be traced.
      await Promise.race([running.idle(), runningDelay(config.drainTimeoutMs)])
      stopPulse?.()
    },
  } as const
}
