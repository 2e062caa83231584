import { ExactLatencies } from '../generator/latencies.ts'
import type { Latency } from '../generator/protocol.ts'
import { forEachPart, isApart, type Part, type PartUse, type PerPart, partNames } from './demands.ts'
import { Agenda } from './simulation/agenda.ts'
import { type SimulatedLoad, startClients } from './simulation/clients.ts'
import { Cores, sliceMicrosOn } from './simulation/cores.ts'
import { readParts } from './simulation/costs.ts'
import { Elsewhere } from './simulation/elsewhere.ts'
import { SimulatedStack, type StackSetup } from './simulation/stack.ts'

/**
 * Where the clients and the upstream run: on this number of cores of their own, on other machines, where nothing waits
 * for a core, or, if null, on the cores of the app.
 */
export type Apart = number | 'elsewhere' | null

/** One stack under one load on one machine. */
export interface Cell extends StackSetup, SimulatedLoad {
  readonly window: SimulatedWindow
  readonly cores: number
  readonly apart: Apart
  /** How long an idle core takes until a thread that was woken runs on it. */
  readonly wakeMicros: number
  /** Share of the time of each core that the host of a virtual machine takes. */
  readonly stealShare: number
}

/**
 * The time that counts, as in a sample: answers count when they arrive in it, and latencies of an open loop when their
 * requests were due in it.
 */
export interface SimulatedWindow {
  readonly warmupMicros: number
  readonly durationMicros: number
}

/** The prediction for one cell. It is a model, not a measurement. */
export interface Prediction {
  /** Answers a second. */
  readonly goodput: number
  readonly latencyMs: Latency
  /** CPU microseconds of the main thread for each answer. */
  readonly mainThreadMicros: number
  /** CPU microseconds of the app and its sidecars for each answer. */
  readonly totalMicros: number
  /** Share of the time in which a thread of the part runs, from 0 to 1; null for a part without threads here. */
  readonly utilization: PerPart<number | null>
  /** Share of the CPU time of the cores of the app that is used. */
  readonly coresUtilization: number
  readonly use: PerPart<PartUse>
}

/** An answer to a request of the window counts if it arrives at most so long after the window, as in a sample. */
const DRAIN_MICROS = 2e6

/** Simulates one cell, without any randomness but that of the arrivals, the host and the work, which have seeds. */
export function simulate(cell: Cell): Prediction {
  const agenda = new Agenda()
  const cores = coresOf(agenda, cell, cell.cores, 1)
  const others = findOthers(cell, agenda, cores)
  const stack = new SimulatedStack(agenda, cores, others, cell)
  const { warmupMicros: opensMicros, durationMicros } = cell.window
  const closesMicros = opensMicros + durationMicros
  const holds = (atMicros: number) => atMicros >= opensMicros && atMicros < closesMicros
  const isClosed = cell.load.kind === 'closed'
  const latencies = new ExactLatencies()
  let answers = 0
  startClients(agenda, cell, stack.request.bind(stack), dueAtMicros => {
    const { nowMicros } = agenda
    if (holds(nowMicros)) answers++
    if (holds(isClosed ? nowMicros : dueAtMicros)) latencies.record((nowMicros - dueAtMicros) / 1000)
  })
  agenda.runUntil(opensMicros)
  const before = { ...readParts(stack.parts), requests: stack.requests }
  agenda.runUntil(closesMicros)
  const after = { ...readParts(stack.parts), requests: stack.requests }
  if (!isClosed) agenda.runUntil(closesMicros + DRAIN_MICROS)
  const used = forEachPart(part => after.usedMicros[part] - before.usedMicros[part])
  const requests = after.requests - before.requests
  const sumOf = (parts: readonly Part[]) => parts.reduce((sum, part) => sum + used[part], 0)
  const onCores = partNames.filter(part => cell.apart === null || !isApart(part))
  const coresUtilization = sumOf(onCores) / durationMicros / cell.cores
  const shareOf = (part: Part) => used[part] / Math.max(1, stack.parts[part].length) / durationMicros
  return {
    goodput: (answers / durationMicros) * 1e6,
    latencyMs: latencies.summary(),
    mainThreadMicros: used.mainThread / answers,
    totalMicros: sumOf(partNames.filter(part => !isApart(part))) / answers,
    utilization: forEachPart(part =>
      stack.parts[part].length === 0 || (cell.apart === 'elsewhere' && isApart(part)) ? null : shareOf(part),
    ),
    coresUtilization,
    use: forEachPart(part => ({
      wakeups: (after.wakeups[part] - before.wakeups[part]) / Math.max(1, requests),
      heat: Math.min(1, Math.max(shareOf(part), coresUtilization)),
    })),
  }
}

function findOthers(cell: Cell, agenda: Agenda, cores: Cores): Cores | Elsewhere {
  if (cell.apart === null) return cores
  return cell.apart === 'elsewhere' ? new Elsewhere(agenda) : coresOf(agenda, cell, cell.apart, 2)
}

/** Some cores of the machine, whose number of all cores decides how long a slice is. */
function coresOf(
  agenda: Agenda,
  { cores, apart, wakeMicros, stealShare }: Cell,
  count: number,
  stealSeed: number,
): Cores {
  const all = cores + (typeof apart === 'number' ? apart : 0)
  return new Cores(agenda, count, { wakeMicros, stealShare, stealSeed, sliceMicros: sliceMicrosOn(all) })
}
