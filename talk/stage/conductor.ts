import type { StageCommand, StageState } from '../../screen/stage-messages.ts'
import type { SteadyScenario } from '../../stack/stack-options.ts'

/** A stop of the tour: a step, and what the load asks for from there on, if that changes. */
export interface Stop {
  readonly step: number
  readonly scenario?: SteadyScenario
}

/** What the app is: a step, and what it does with requests beyond its capacity. */
type Served = Pick<StageState, 'step' | 'overload'>

interface ConductorOptions {
  /** The numbers of the steps, in order. */
  readonly steps: readonly number[]
  readonly overloads: readonly string[]
  /** The app at the start. */
  readonly first: Served
  readonly stops: readonly Stop[]
  /** Time between two stops of the tour, in milliseconds. */
  readonly tourMs: number
  /** Replaces the app. It rejects when the new app does not start; the old one then goes on. */
  flip(next: Served): Promise<void>
  ask(scenario: SteadyScenario): void
  onChange(): void
  /** Called when the tour has shown its last stop for its time. */
  onTourEnd(): void
}

type Flips = Omit<StageState, 'faults' | 'scenario'>

/**
 * Decides which app is shown. There is one flip at a time: of the apps that are asked for meanwhile, the last is
 * flipped to afterwards, whoever asked.
 */
export class Conductor {
  readonly #options: ConductorOptions
  #state: Flips
  #wanted: Served
  #flipping: Promise<void> = Promise.resolve()
  #isClosed = false
  #timer: NodeJS.Timeout | undefined
  /** The stop at which the tour is, or was. */
  #at = 0

  constructor(options: ConductorOptions) {
    this.#options = options
    this.#state = { ...options.first, next: null, failure: '', tour: null }
    this.#wanted = options.first
  }

  get state(): Flips {
    return this.#state
  }

  /**
   * Obeys a command of a person. A command to flip pauses the tour.
   * @throws Error when there is no such step or mode
   */
  obey(command: Exclude<StageCommand, { kind: 'fault' | 'ask' }>): void {
    if (command.kind === 'tour') return this.#toggleTour()
    const { steps, overloads } = this.#options
    const { step, overload } = this.#wanted
    const wanted =
      command.kind === 'go'
        ? { step: requireOne('step', command.step, steps) }
        : command.kind === 'move'
          ? { step: steps[steps.indexOf(step) + command.by] ?? step }
          : { overload: requireOne('mode', command.mode ?? after(overload, overloads), overloads) }
    this.#pauseTour()
    this.#go(wanted)
  }

  /** Ends the tour, and waits for a flip that has begun. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#isClosed = true
    await this.#flipping
  }

  get #isReached(): boolean {
    return this.#wanted.step === this.#state.step && this.#wanted.overload === this.#state.overload
  }

  #go(changed: Partial<Served>): void {
    this.#wanted = { ...this.#wanted, ...changed }
    if (this.#state.next === null && !this.#isReached) this.#flipping = this.#flip()
  }

  async #flip(): Promise<void> {
    while (!this.#isReached && !this.#isClosed) {
      const next = this.#wanted
      this.#change({ next: next.step, failure: '' })
      try {
        await this.#options.flip(next)
        this.#change({ ...next, next: null })
      } catch (error) {
        const { step, overload } = this.#state
        if (this.#wanted === next) this.#wanted = { step, overload }
        this.#change({ next: null, failure: (error as Error).message })
      }
    }
    this.#wait()
  }

  #toggleTour(): void {
    if (this.#state.tour?.isPaused === false) return this.#pauseTour()
    this.#change({ tour: { isPaused: false } })
    const { stops } = this.#options
    const isHere = ({ step }: Stop) => step === this.#wanted.step
    if (!isHere(stops[this.#at] as Stop)) this.#at = stops.findIndex(isHere)
    if (this.#at === stops.length - 1) this.#visit(0)
    else this.#wait()
  }

  #pauseTour(): void {
    clearTimeout(this.#timer)
    if (this.#state.tour?.isPaused === false) this.#change({ tour: { isPaused: true } })
  }

  #visit(index: number): void {
    const stop = this.#options.stops[index]
    if (!stop) {
      this.#change({ tour: null })
      return this.#options.onTourEnd()
    }
    this.#at = index
    if (stop.scenario) this.#options.ask(stop.scenario)
    this.#go({ step: stop.step })
    this.#wait()
  }

  /** Shows the present stop for the time of the tour, if there is one. */
  #wait(): void {
    clearTimeout(this.#timer)
    if (this.#isClosed || this.#state.tour?.isPaused !== false || this.#state.next !== null) return
    this.#timer = setTimeout(() => this.#visit(this.#at + 1), this.#options.tourMs)
  }

  #change(changed: Partial<Flips>): void {
    this.#state = { ...this.#state, ...changed }
    this.#options.onChange()
  }
}

/** The choice that a key makes after this one. */
export const after = <T>(now: T, all: readonly T[]): T => all[(all.indexOf(now) + 1) % all.length] as T

/** @throws Error when there is no such step, mode or scenario */
export function requireOne<T>(what: string, given: unknown, all: readonly T[]): T {
  const found = all.find(each => each === given)
  if (found !== undefined) return found
  throw new Error(`there is no ${what} ${given}; there are ${all.join(', ')}`)
}
