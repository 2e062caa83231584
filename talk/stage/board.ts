import { Hub } from '../../screen/hub.ts'
import type { Second, StageMessage, StageState, StageStep } from '../../screen/stage-messages.ts'
import { compareSteps, compareWithBefore } from './comparison.ts'

/** Three quarters of an hour. */
const MAX_SECONDS = 2700
const MAX_BYTES = 4 * 2 ** 20

type Kind = StageMessage['kind']

/** The stream of the stage: pages that come later get all seconds, and the last message of each other kind. */
export class Board extends Hub<StageMessage> {
  readonly #last = new Map<Kind, StageMessage>()
  #seconds: readonly Second[] = []

  readonly #onState: (state: StageState, steps: readonly StageStep[]) => void

  /** @param onState called with each state, and the steps of the setting */
  constructor(onState: (state: StageState, steps: readonly StageStep[]) => void = () => {}) {
    super({ maxMessages: MAX_SECONDS, maxBytes: MAX_BYTES })
    this.#onState = onState
  }

  get seconds(): readonly Second[] {
    return this.#seconds
  }

  /** The last message of a kind; undefined if there was none. */
  last<K extends Kind>(kind: K): Extract<StageMessage, { kind: K }> | undefined {
    return this.#last.get(kind) as Extract<StageMessage, { kind: K }> | undefined
  }

  /** Tells all pages. Seconds, and a change of what is shown, are followed by the comparisons that they allow. */
  override tell(message: StageMessage): void {
    const isSeconds = message.kind === 'seconds'
    if (isSeconds) this.#seconds = [...this.#seconds, ...message.seconds].slice(-MAX_SECONDS)
    else this.#last.set(message.kind, message)
    super.tell(message, isSeconds ? undefined : message.kind)
    if (message.kind === 'state') this.#onState(message.state, this.last('setting')?.setting.steps ?? [])
    if (isSeconds || message.kind === 'state') this.tell(this.#compare())
  }

  /** Forgets the seconds, as a replay does that begins again. A page forgets them when it gets the setting. */
  override clear(): void {
    super.clear()
    this.#seconds = []
    const setting = this.last('setting')
    if (setting) this.tell(setting)
  }

  /** Only seconds in which the load asked for the same, in the same mode, are compared. */
  #compare(): StageMessage {
    const steps = this.last('setting')?.setting.steps ?? []
    const state = this.last('state')?.state
    const seconds = this.#seconds.filter(
      ({ scenario, overload }) => scenario === state?.scenario && overload === state?.overload,
    )
    const comparisons = compareSteps(
      steps.map(({ number }) => number),
      seconds,
    )
    return { kind: 'comparisons', comparisons, now: state ? compareWithBefore(state.step, seconds) : null }
  }
}
