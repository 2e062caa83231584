import { connect, type Socket } from 'node:net'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { textFrame } from '../../../apm-agent/frames.ts'
import { PULSE_INTERVAL_MS, type Pulse } from '../../../apm-agent/live/pulse-protocol.ts'
import { BEAT_MS, beats } from '../../../lib/main-thread/beats.ts'
import type { Counts } from '../../../lib/processes/protocol.ts'
import { monotonicMs } from '../../../lib/units.ts'
import type { AppDescription } from '../../../screen/live-messages.ts'
import type { RemoteReading } from '../../concerns/compute/nats.ts'
import type { Composition } from '../../concerns.ts'
import { resource } from '../../context.ts'
import { findStepNumber, nameComposition, steps } from '../../steps.ts'
import { place } from '../instances/instance.ts'
import type { PoolReading } from '../operated.ts'
import type { Pool } from '../pools.ts'
import { watchCollections } from '../usage.ts'
import type { RequestMeter } from './request-meter.ts'
import { ThreadPlaces } from './thread-places.ts'

/** Only one reading runs at a time. A thread that has not answered within this time will never answer. */
const READING_LIMIT_MS = 5000
/**
 * Reading a pool wakes all of its threads. Therefore pools are read again only when this process has used this much CPU time
 * since the last reading: within 5 ms, hardly anything can have changed.
 */
const READ_AFTER_MICROS = 5000

interface PulseOptions {
  readonly app: AppDescription
  readonly apmSocket: string
  readonly meter: RequestMeter
  readonly pools: readonly Pool[]
  readCounts(): Counts
  readFaults(): Pulse['faults']
}

/**
 * Sends the figures of the live page to apm-agent twice a second. Content and cost are the same for every
 * implementation of `apm`. It must be started on the main thread, because it reads the CPU time of that thread.
 * @returns a function that stops it
 */
export function startPulse({
  app,
  apmSocket,
  meter,
  pools,
  readCounts,
  readFaults,
}: PulseOptions): () => void {
  const link = linkTo(apmSocket)
  // Measures each turn of the event loop. A timer would wake an idle thread, and has a resolution of its own.
  const turns = monitorEventLoopDelay({ samplePerIteration: true })
  const gc = watchCollections()
  const placed = pools.map(pool => ({ pool, places: new ThreadPlaces() }))
  turns.enable()

  let readings: Awaited<ReturnType<typeof readPool>>[] = []
  let usedMicros = Number.NEGATIVE_INFINITY
  async function readPools() {
    const { user, system } = process.cpuUsage()
    if (user + system < usedMicros + READ_AFTER_MICROS) return
    usedMicros = user + system
    readings = await Promise.all(placed.map(({ pool, places }) => readPool(pool, places)))
  }

  async function read(): Promise<Pulse> {
    await readPools()
    const { user, system } = process.threadCpuUsage()
    const { active: activeMs, idle: idleMs } = performance.eventLoopUtilization()
    const counts = readCounts()
    return {
      app,
      atMs: monotonicMs(),
      requests: meter.counts,
      latencies: meter.takeLatencies(),
      loop: { activeMs, idleMs },
      delayMs: takeDelay(turns),
      gc,
      threads: [
        { name: 'main', cpuMicros: user + system },
        ...readings.flatMap(reading => reading?.threads ?? []),
      ],
      pools: readings.flatMap(reading => reading?.pool ?? []),
      emitted: {
        logLines: counts.logLines?.emitted ?? 0,
        spans: counts.spans?.emitted ?? 0,
        metricPoints: counts.metricPoints?.emitted ?? 0,
      },
      droppedLines: counts.logLines?.dropped ?? 0,
      faults: readFaults(),
    }
  }

  let askedAtMs = Number.NEGATIVE_INFINITY
  const beat = async () => {
    beats.call(beat, PULSE_INTERVAL_MS / BEAT_MS)
    const nowMs = performance.now()
    if (nowMs < askedAtMs + READING_LIMIT_MS || !link.isReady()) return
    askedAtMs = nowMs
    link.send(textFrame('pulse', JSON.stringify(await read())))
    askedAtMs = Number.NEGATIVE_INFINITY
  }
  beats.call(beat, PULSE_INTERVAL_MS / BEAT_MS)

  return () => {
    beats.cancel(beat)
    turns.disable()
    link.close()
  }
}

export const describeApp = (composition: Composition): AppDescription => ({
  instance: resource.instance,
  place,
  startedAtMs: performance.timeOrigin,
  step: findStepNumber(composition),
  name: nameComposition(composition),
  composition,
  ladder: steps.map(({ number, name }) => `${number} ${name}`),
})

/**
 * A connection to apm-agent for pulses only. While apm-agent does not read or is not running, pulses are skipped. The connection of
 * the telemetry reports why it is unreachable, so nothing is reported here.
 * @param path the Unix socket of apm-agent
 */
function linkTo(path: string) {
  let socket: Socket | undefined
  const forget = () => {
    socket = undefined
  }
  return {
    /** Whether a pulse could be sent now. Begins to connect if there is no connection. */
    isReady() {
      socket ??= connect(path)
        .unref()
        .on('error', () => {})
        .on('close', forget)
        .resume()
      return !socket.connecting && !socket.writableNeedDrain
    },
    send: (frame: Uint8Array) => socket?.write(frame),
    close: () => socket?.destroy(),
  }
}

async function readPool({ name, read, done }: Pool, places: ThreadPlaces) {
  const pool = await read?.()
  if (!pool) return undefined
  const { size, queueLength, threadCpuMicros, elsewhere } = pool as PoolReading & Partial<RemoteReading>
  const numbers = places.numbersOf(threadCpuMicros.keys())
  const machines = (elsewhere ?? []).map(({ worker, cpuMicros }) => ({ name: worker, cpuMicros }))
  return {
    pool: { name, size, queueLength, ...done },
    threads: [...threadCpuMicros.values()]
      .map((cpuMicros, index) => ({ name: `${name} ${numbers[index]}`, cpuMicros }))
      .concat(machines),
  }
}

function takeDelay(turns: ReturnType<typeof monitorEventLoopDelay>): Pulse['delayMs'] {
  if (turns.count === 0) return null
  const delay = {
    p99: turns.percentile(99) / 1e6,
    max: turns.max / 1e6,
  }
  turns.reset()
  return delay
}
