import { setTimeout as delay } from 'node:timers/promises'
import type { Step } from '../../app/steps.ts'
import { type Fault, total } from './fault.ts'

/** Time to start and stop the processes of a fault. */
const OVERHEAD_SECONDS = 3
/** The interval between the starts of simultaneous faults, because a start keeps a core busy for this time. */
const START_INTERVAL_MS = 3000
/** So many of those that mostly wait run at the same time. On a slow machine, more would keep a start from its end in time. */
const MANY_AT_ONCE = 8
/** So many places stay free while those that mostly wait start one after the other, which keeps a core busy. */
const FREE_AT_FIRST = 2

/** A fault that is to be tried at a step for some time, with the name of its group. */
export interface Chosen {
  readonly step: Step
  readonly group: string
  readonly fault: Fault
  readonly seconds: number
}

type Attempt = (one: Chosen) => Promise<void>

/** The faults by the company that they bear. */
export class Schedule {
  readonly #many: readonly Chosen[]
  readonly #some: readonly Chosen[]
  readonly #none: readonly Chosen[]
  readonly #atOnce: number

  /** @param atOnce number of faults that run at the same time, if they bear it */
  constructor(chosen: readonly Chosen[], atOnce: number) {
    const companyOf = ({ fault, seconds }: Chosen) =>
      fault.company === 'none in full' ? (seconds < fault.seconds ? undefined : 'none') : fault.company
    const bearing = (company: Fault['company']) => chosen.filter(each => companyOf(each) === company)
    // The longest starts first, so that it is not the last to end.
    this.#many = bearing('many').sort((one, other) => other.seconds - one.seconds)
    this.#some = bearing(undefined)
    this.#none = bearing('none')
    this.#atOnce = atOnce
  }

  /** About how long the first try of all of them takes. */
  get seconds(): number {
    const inTurn = (faults: readonly Chosen[]) =>
      total(faults.map(({ seconds }) => seconds + OVERHEAD_SECONDS))
    const longest = Math.max(0, ...this.#many.map(({ seconds }) => seconds))
    const besides = Math.max(longest, inTurn(this.#many) / MANY_AT_ONCE)
    return Math.max(besides, inTurn(this.#some) / this.#atOnce) + inTurn(this.#none)
  }

  /**
   * Tries all faults. Those whose promises do not hold are tried again alone, up to `tries` times in all.
   * @param holds tries one fault, and says whether its promise held
   * @returns the faults whose promises did not hold
   */
  async run(
    tries: number,
    holds: (one: Chosen, isLast: boolean) => Promise<boolean>,
  ): Promise<readonly Chosen[]> {
    let failed: Chosen[] = []
    const attemptOf =
      (left: number): Attempt =>
      async one => {
        if (!(await holds(one, left === 1))) failed.push(one)
      }
    const first = attemptOf(tries)
    const [many, some] = [this.#many.values(), this.#some.values()]
    const placesAtFirst = Math.max(0, this.#atOnce - FREE_AT_FIRST)
    const begun = handleAll(some, placesAtFirst, first)
    const places = Array.from({ length: MANY_AT_ONCE }, async (_, index) => {
      await delay(index * START_INTERVAL_MS)
      await handleAll(many, 1, first)
    })
    await Promise.all(places)
    await Promise.all([begun, handleAll(some, this.#atOnce - placesAtFirst, first)])
    await handleAll(this.#none.values(), 1, first)
    for (let left = tries - 1; left > 0; left--) {
      const again = failed
      failed = []
      await handleAll(again.values(), 1, attemptOf(left))
    }
    return failed
  }
}

/** Handles the faults that are left in their order, `atOnce` of them at a time. */
async function handleAll(left: IteratorObject<Chosen>, atOnce: number, attempt: Attempt): Promise<void> {
  const handleRest = async () => {
    for (const one of left) await attempt(one)
  }
  await Promise.all(Array.from({ length: atOnce }, handleRest))
}
