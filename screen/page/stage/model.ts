import type { Threads } from '../../live-messages.ts'
import type {
  Comparison,
  NowAndBefore,
  Second,
  StageMessage,
  StageSetting,
  StageState,
  StageStep,
} from '../../stage-messages.ts'

/** All that the server has told. It forgets the seconds when a connection or a replay begins again. */
export class Model {
  setting: StageSetting | undefined
  state: StageState | undefined
  threads: Threads | undefined
  comparisons: readonly Comparison[] = []
  now: NowAndBefore | null = null
  noise: string | null = null
  allSeconds: readonly Second[] = []

  take(message: StageMessage): void {
    switch (message.kind) {
      case 'setting':
        this.setting = message.setting
        this.allSeconds = []
        this.comparisons = []
        this.now = null
        break
      case 'state':
        this.state = message.state
        break
      case 'seconds':
        this.allSeconds = [...this.allSeconds, ...message.seconds]
        break
      case 'comparisons':
        this.comparisons = message.comparisons
        this.now = message.now
        break
      case 'noise':
        this.noise = message.reason
        break
      case 'update':
        this.threads = message.update
    }
  }

  get steps(): readonly StageStep[] {
    return this.setting?.steps ?? []
  }

  get step(): StageStep | undefined {
    return this.steps.find(({ number }) => number === this.state?.step)
  }

  /** The seconds in which the load asked for what it asks for now, in the present mode. */
  get seconds(): readonly Second[] {
    const { state } = this
    return this.allSeconds.filter(
      ({ scenario, overload }) => scenario === state?.scenario && overload === state?.overload,
    )
  }

  get isBroken(): boolean {
    return this.state?.faults.some(({ isOn }) => isOn) ?? false
  }

  get isOverloadChanged(): boolean {
    return this.state?.overload !== this.setting?.overloads[0]
  }

  comparisonOf(step: number | undefined): Comparison | undefined {
    return this.comparisons.find(each => each.step === step)
  }
}
