import type {
  Comparison,
  Second,
  StageMessage,
  StageSetting,
  StageState,
  StageStep,
  Threads,
} from '../protocol.ts'

/** All that the server has told. It forgets the seconds when a connection or a replay begins again. */
export class Model {
  setting: StageSetting | undefined
  state: StageState | undefined
  threads: Threads | undefined
  audience: Extract<StageMessage, { kind: 'audience' }> | undefined
  comparisons: readonly Comparison[] = []
  seconds: readonly Second[] = []

  take(message: StageMessage): void {
    switch (message.kind) {
      case 'setting':
        this.setting = message.setting
        this.seconds = []
        this.comparisons = []
        break
      case 'state':
        this.state = message.state
        break
      case 'seconds':
        this.seconds = [...this.seconds, ...message.seconds]
        break
      case 'comparisons':
        this.comparisons = message.comparisons
        break
      case 'threads':
        this.threads = message.threads
        break
      case 'audience':
        this.audience = message
    }
  }

  get steps(): readonly StageStep[] {
    return this.setting?.steps ?? []
  }

  /** The step that was shown before the present one; undefined if there was none. */
  get before(): StageStep | undefined {
    const step = this.state?.step
    const last = this.seconds.findLast(second => second.step !== step)
    return this.steps.find(({ number }) => number === last?.step)
  }

  comparisonOf(step: number | undefined): Comparison | undefined {
    return this.comparisons.find(each => each.step === step)
  }
}
