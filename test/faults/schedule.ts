import { setTimeout as delay } from 'node:timers/promises'
import type { Step } from '../../app/steps.ts'
import type { Fault } from './fault.ts'

/** Time to start and stop the processes of a fault. */
export const OVERHEAD_SECONDS = 3
/** The interval between the starts of simultaneous faults, because a start keeps a core busy for this time. */
const START_INTERVAL_MS = 3000

/** So many of those that mostly wait run at the same time. On a slow machine, more would keep a start from its end in time. */
const MANY_AT_ONCE = 8

/** So many places stay free while those that mostly wait start one after the other, which keeps a core busy. */
const FREE_AT_FIRST = 2

/** A fault that is to be tried at a step, with the name of its group. */
export interface Chosen {
  readonly step: Step
  readonly group: string
  readonly fault: Fault
}

/** One try of a fault. */
export interface Try extends Chosen {
  readonly seconds: number
  /** Whether no other fault runs meanwhile. */
  readonly isAlone: boolean
  readonly isLast: boolean
}

/** The faults by the company that they bear. */
export class Schedule {
  readonly #many: readonly Chosen[]
  readonly #some: readonly Chosen[]
  readonly #none: readonly Chosen[]
  readonly #seconds: (fault: Fault) => number
  readonly #atOnce: number
  /** How many faults run at the same time beside those that mostly wait. */
  readonly #atFirst: number

  /**
   * @param seconds duration of a fault
   * @param atOnce number of faults that run at the same time, if they bear it
   */
  constructor(chosen: readonly Chosen[], seconds: (fault: Fault) => number, atOnce: number) {
    const companyOf = (fault: Fault) =>
      fault.company === 'none in full' ? (seconds(fault) < fault.seconds ? undefined : 'none') : fault.company
    const bearing = (company: Fault['company']) => chosen.filter(({ fault }) => companyOf(fault) === company)
    // The longest starts first, so that it is not the last to end.
    this.#many = bearing('many').sort((one, other) => seconds(other.fault) - seconds(one.fault))
    this.#some = bearing(undefined)
    this.#none = bearing('none')
    this.#seconds = seconds
    this.#atOnce = atOnce
    this.#atFirst = Math.max(0, atOnce - FREE_AT_FIRST)
  }

  /** About how long the first try of all of them takes. */
  get seconds(): number {
    const inTurn = (faults: readonly Chosen[]) =>
      faults.reduce((total, { fault }) => total + this.#seconds(fault) + OVERHEAD_SECONDS, 0)
    const firstSeconds = Math.max(
      inTurn(this.#many) / MANY_AT_ONCE,
      ...this.#many.map(({ fault }) => this.#seconds(fault) + OVERHEAD_SECONDS),
    )
    const left = Math.max(0, inTurn(this.#some) - this.#atFirst * firstSeconds)
    return firstSeconds + left / this.#atOnce + inTurn(this.#none)
  }

  /**
   * Tries all faults. Those whose promises do not hold are tried again alone, up to `tries` times in all.
   * @param holds tries one fault, and says whether its promise held
   * @returns the faults whose promises did not hold
   */
  async run(tries: number, holds: (one: Try) => Promise<boolean>): Promise<readonly Chosen[]> {
    let failed: Chosen[] = []
    const attempt = (left: number, isAlone: boolean) => async (each: Chosen) => {
      const seconds = this.#seconds(each.fault)
      if (!(await holds({ ...each, seconds, isAlone, isLast: left === 1 }))) failed.push(each)
    }
    const beside = attempt(tries, false)
    const some = this.#some.values()
    const handleSome = (places: number) => handleAll(some, places, attempt(tries, this.#atOnce === 1))
    const begun = handleSome(this.#atFirst)
    const many = this.#many.values()
    await Promise.all(
      Array.from({ length: MANY_AT_ONCE }, async (_, index) => {
        await delay(index * START_INTERVAL_MS)
        await handleAll(many, 1, beside)
      }),
    )
    await Promise.all([begun, handleSome(this.#atOnce - this.#atFirst)])
    await handleAll(this.#none.values(), 1, attempt(tries, true))
    for (let left = tries - 1; left > 0; left--) {
      const again = failed
      failed = []
      await handleAll(again.values(), 1, attempt(left, true))
    }
    return failed
  }
}

/** Handles the items that are left in their order, `atOnce` of them at a time. */
async function handleAll<Item>(
  left: IteratorObject<Item>,
  atOnce: number,
  handle: (item: Item) => Promise<void>,
): Promise<void> {
  const handleRest = async () => {
    for (const item of left) await handle(item)
  }
  await Promise.all(Array.from({ length: atOnce }, handleRest))
}
