import { UserError } from '../../lib/user-error.ts'
import { counted, fixed, percent } from '../outcome/format.ts'
import { isNoisy } from '../outcome/noisy.ts'
import { type ComparedFigure, comparedFigures, type ValidationCell } from './cells.ts'
import { goal, meetsGoal, missedFigures } from './errors.ts'
import type { LadderRow, PlanResults } from './results.ts'
import type { Prediction } from './simulate.ts'

/** Says how well the model did in the validation; null without one. */
export function describeValidation(cells: readonly ValidationCell[]): string | null {
  const compared = cells.filter(cell => cell.compared)
  if (compared.length === 0) return null
  const met = compared.filter(meetsGoal).length
  const verdict = met >= goal.share * compared.length ? 'reached' : 'missed'
  const repeated = compared.filter(({ samples }) => samples.filter(({ valid }) => valid).length > 1)
  const steady = repeated.filter(cell => comparedFigures.every(figure => !isUnsteady(cell, figure))).length
  return [
    `In ${met} of ${counted(compared.length, 'cell')}, goodput is within ${percent(goal.goodput)} and p99 within ${percent(goal.p99)} of the measurement.`,
    `The goal of ${percent(goal.share)} of the cells is ${verdict}.`,
    ...(repeated.length > 0
      ? [
          `The measurements of the blocks are that close to each other in ${steady} of ${counted(repeated.length, 'cell')}.`,
        ]
      : []),
  ].join(' ')
}

/** Whether the measurements of a cell differ by more than the model may. */
const isUnsteady = ({ compared }: ValidationCell, figure: ComparedFigure): boolean =>
  compared !== null && compared.scatter[figure] > goal[figure]

/** The reason why the model misses a cell, as far as the figures tell it; an empty text if it does not miss it. */
export function explainMiss(cell: ValidationCell): string {
  if (!cell.compared) return `refused: ${cell.samples.at(-1)?.reason}`
  if (meetsGoal(cell)) return ''
  const noise = cell.samples.some(isNoisy) ? ['the machine disturbed the measurement'] : []
  const unsteady = missedFigures(cell)
    .filter(figure => isUnsteady(cell, figure))
    .map(figure => `${figure} differs by ${percent(cell.compared?.scatter[figure])} between the blocks`)
  return [...noise, ...unsteady, ...explainByCosts(cell.compared)].join('; ')
}

const costs = { mainThreadMicros: 'main thread', totalMicros: 'app and sidecars' } as const

/** The costs that differ by more than the goal for goodput. If none does, the costs are right and the waits are wrong. */
function explainByCosts({ measured, predicted }: NonNullable<ValidationCell['compared']>): string[] {
  const wrong = (['mainThreadMicros', 'totalMicros'] as const).filter(
    cost => Math.abs(predicted[cost] / measured[cost] - 1) > goal.goodput,
  )
  if (wrong.length === 0) return ['the costs are right, the waits are not']
  return wrong.map(
    cost =>
      `${costs[cost]}: ${fixed(measured[cost], 0)} µs a response, by the model ${fixed(predicted[cost], 0)}`,
  )
}

/** Says what the model is made of. */
export function describeSource({ source, fitted }: PlanResults): string {
  const { file, date, scenario, cores, noisy } = source
  const noise = noisy ? ' That run is noisy, so its costs are too high.' : ''
  return `Made of ${file}, which measured ${scenario} on ${counted(cores, 'core')} on ${date.slice(0, 10)}.${noise} Fitted to it: a woken thread runs after ${fixed(fitted.wakeMicros, 0)} µs, and the CPU time of a piece of work varies by ${percent(fitted.variation)} (standard deviation).`
}

/** Says from which number of cores on more cores hardly help a step, by the model. */
export function describeLimit(rows: readonly LadderRow[]): string | null {
  const best = rows.toSorted((one, other) => other.goodput - one.goodput)[0]
  const enough = rows.find(({ goodput }) => best && goodput >= ENOUGH * best.goodput)
  if (!best || !enough) return null
  const busy = percent(enough.utilization.mainThread)
  return `By the model, ${enough.name} reaches ${fixed(best.goodput, 0)} responses a second at most, and ${percent(ENOUGH)} of that on ${counted(enough.cores, 'core')}, where its main thread is ${busy} busy.`
}

const ENOUGH = 0.95

/** Names the part that is busiest: a thread, a sidecar, the upstream, the clients, or all cores together. */
export function findBusiest({
  utilization: { mainThread, workers, rendering, loggerTransport, apmAgent, upstream, clients },
  coresUtilization,
}: Pick<Prediction, 'utilization' | 'coresUtilization'>): string {
  const busy: Readonly<Record<string, number | null>> = {
    'main thread': mainThread,
    worker: workers ?? rendering,
    'logger-transport': loggerTransport,
    'apm-agent': apmAgent,
    upstream,
    clients,
    cores: coresUtilization,
  }
  return Object.keys(busy).reduce((most, part) => ((busy[part] ?? 0) > (busy[most] ?? 0) ? part : most))
}

/** @throws UserError when only one of both is given */
export function requireBoth(rate: number | undefined, p99Ms: number | undefined): void {
  if ((rate === undefined) !== (p99Ms === undefined))
    throw new UserError('--rate and --p99 belong together: requests a second, and the p99 that they may have')
}
