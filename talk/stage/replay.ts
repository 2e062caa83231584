import { setTimeout as delay } from 'node:timers/promises'
import type { Second, StageCommand, StageMessage, StageState } from '../../screen/stage-messages.ts'
import { steadyScenarios } from '../../stack/stack-options.ts'
import type { Board } from './board.ts'
import { after } from './conductor.ts'
import type { Recorded } from './recording.ts'

/** Plays a recording again and again. A key or a click jumps to the step; a space pauses. */
export class Replay {
  readonly #lines: Recorded['lines']
  readonly #board: Board
  readonly #starts: ReturnType<typeof startsOf>
  #next = 0
  #now: Shown
  #isPaused = false
  #wake = new AbortController()

  constructor({ setting, lines }: Recorded, board: Board) {
    this.#lines = lines
    this.#board = board
    this.#starts = startsOf(lines)
    this.#now = this.#starts[0] ?? { step: 0, scenario: 'demo' }
    board.tell({ kind: 'setting', setting })
  }

  /** Plays until the signal is aborted. */
  async play(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#wake.abort())
    while (!signal.aborted) {
      const line = this.#lines[this.#next]
      if (!line) {
        this.#jump(0)
        continue
      }
      this.#tell(line.message)
      this.#next++
      const next = this.#lines[this.#next]
      await this.#wait(this.#isPaused ? 2 ** 30 : (next?.atMs ?? line.atMs + 1000) - line.atMs)
    }
  }

  obey(command: StageCommand): void {
    if (command.kind === 'fault' || command.kind === 'overload')
      throw new Error('a replay has no processes to break')
    if (command.kind === 'tour') {
      this.#isPaused = !this.#isPaused
      this.#wake.abort()
      return
    }
    const start = this.#startOf(command)
    if (start === undefined) return
    this.#isPaused = false
    this.#jump(start)
    this.#wake.abort()
  }

  /** The line to which a command leads; undefined if the recording does not have it. */
  #startOf(command: Exclude<StageCommand, { kind: 'fault' | 'overload' | 'tour' }>): number | undefined {
    const { step, scenario } = this.#now
    if (command.kind === 'ask') {
      const wanted = command.scenario ?? after<string>(scenario, steadyScenarios)
      const others = this.#starts.filter(each => each.scenario === wanted)
      return (others.find(each => each.step === step) ?? others[0])?.line
    }
    const starts = this.#starts.filter(each => each.scenario === scenario)
    if (command.kind === 'go') return starts.find(each => each.step === command.step)?.line
    const sorted = starts.toSorted((one, other) => one.step - other.step)
    return sorted[sorted.findIndex(each => each.step === step) + command.by]?.line
  }

  /** Shows at once the state at a line, with all seconds before it. */
  #jump(start: number): void {
    const before = this.#lines.slice(0, start).map(({ message }) => message)
    const last = new Map(before.map(message => [message.kind, message]))
    last.delete('seconds')
    this.#board.clear()
    const seconds: Second[] = before.flatMap(message => (message.kind === 'seconds' ? message.seconds : []))
    this.#tell({ kind: 'seconds', seconds })
    for (const message of last.values()) this.#tell(message)
    this.#next = start
  }

  #tell(message: StageMessage): void {
    if (message.kind === 'state') this.#now = shownBy(message.state)
    this.#board.tell(message)
  }

  async #wait(ms: number): Promise<void> {
    this.#wake = new AbortController()
    await delay(ms, undefined, { signal: this.#wake.signal }).catch(() => {})
  }
}

type Shown = Pick<StageState, 'step' | 'scenario'>

const shownBy = ({ step, next, scenario }: StageState): Shown => ({ step: next ?? step, scenario })

/** The line with which each step begins, for each scenario. */
function startsOf(lines: Recorded['lines']): (Shown & { readonly line: number })[] {
  const starts = new Map<string, Shown & { readonly line: number }>()
  for (const [line, { message }] of lines.entries()) {
    if (message.kind !== 'state') continue
    const shown = shownBy(message.state)
    const key = `${shown.scenario} ${shown.step}`
    if (!starts.has(key)) starts.set(key, { ...shown, line })
  }
  return [...starts.values()]
}
