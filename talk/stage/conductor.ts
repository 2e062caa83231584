import type { StageCommand, StageState } from './protocol.ts'

interface ConductorOptions {
  /** The numbers of the steps, in order. */
  readonly steps: readonly number[]
  /** The step that serves at the start. */
  readonly first: number
  /** Time between two flips of the tour, in milliseconds. */
  readonly tourMs: number
  /** Whether the tour walks up from the first step, or down from the last. */
  readonly direction: 1 | -1
  /** Replaces the app. It rejects when the new app does not start; the old one then goes on. */
  flip(step: number): Promise<void>
  onChange(): void
  /** Called when the tour has shown its last step for its time. */
  onTourEnd(): void
}

type Flips = Omit<StageState, 'faults' | 'scenario'>

/**
 * Decides which step is shown. There is one flip at a time: of the steps that are asked for meanwhile, the last is
 * flipped to afterwards, whoever asked.
 */
export class Conductor {
  readonly #options: ConductorOptions
  #state: Flips
  #wanted: number
  #flipping: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(options: ConductorOptions) {
    this.#options = options
    this.#state = { step: options.first, next: null, failure: '', tour: null }
    this.#wanted = options.first
  }

  get state(): Flips {
    return this.#state
  }

  /** The steps with which a tour begins and ends. */
  get #start(): number {
    return this.#options.steps.at(this.#options.direction === 1 ? 0 : -1) as number
  }

  get #goal(): number {
    return this.#options.steps.at(this.#options.direction === 1 ? -1 : 0) as number
  }

  /** Obeys a command of a person. A command to flip pauses the tour. */
  obey(command: Exclude<StageCommand, { kind: 'fault' | 'ask' }>): void {
    if (command.kind === 'tour') return this.#toggleTour()
    this.#pauseTour()
    if (command.kind === 'go') this.#go(command.step)
    else this.#move(command.by)
  }

  /** Ends the tour, and waits for a flip that has begun. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#wanted = this.#state.next ?? this.#state.step
    await this.#flipping
  }

  #move(by: number): void {
    const { steps } = this.#options
    const step = steps[steps.indexOf(this.#wanted) + by]
    if (step !== undefined) this.#go(step)
  }

  #go(step: number): void {
    if (!this.#options.steps.includes(step)) return
    this.#wanted = step
    if (this.#state.next === null && step !== this.#state.step) this.#flipping = this.#flip()
  }

  async #flip(): Promise<void> {
    while (this.#wanted !== this.#state.step) {
      const next = this.#wanted
      this.#change({ next, failure: '' })
      try {
        await this.#options.flip(next)
        this.#change({ step: next, next: null })
      } catch (error) {
        if (this.#wanted === next) this.#wanted = this.#state.step
        this.#change({ next: null, failure: (error as Error).message })
      }
    }
    this.#wait()
  }

  #toggleTour(): void {
    if (this.#state.tour?.isPaused === false) return this.#pauseTour()
    this.#change({ tour: { isPaused: false } })
    if (this.#wanted === this.#goal) this.#go(this.#start)
    else this.#wait()
  }

  #pauseTour(): void {
    clearTimeout(this.#timer)
    if (this.#state.tour?.isPaused === false) this.#change({ tour: { isPaused: true } })
  }

  /** Shows the present step for the time of the tour, if there is one. */
  #wait(): void {
    clearTimeout(this.#timer)
    if (this.#state.tour?.isPaused !== false || this.#state.next !== null) return
    this.#timer = setTimeout(() => {
      if (this.#state.step !== this.#goal) return this.#move(this.#options.direction)
      this.#change({ tour: null })
      this.#options.onTourEnd()
    }, this.#options.tourMs)
  }

  #change(changed: Partial<Flips>): void {
    this.#state = { ...this.#state, ...changed }
    this.#options.onChange()
  }
}
