import type { Breakage, BreakMessage, MemberMessage } from '../lib/processes/protocol.ts'
import type { SupervisedProcess } from '../lib/processes/supervise-process.ts'

const SLOW_MS = 1000

interface Broken {
  readonly timer: NodeJS.Timeout
  mend(): void
}

/**
 * Begins a fault.
 * @returns a function that ends the fault; undefined when the process has just ended
 */
const breakages: Readonly<Record<Breakage, (member: SupervisedProcess) => (() => void) | undefined>> = {
  killed(member) {
    const { promise, resolve } = Promise.withResolvers<void>()
    return member.knockOut(promise) ? resolve : undefined
  },
  stalled: member => (member.signal('SIGSTOP') ? () => void member.signal('SIGCONT') : undefined),
  slow(member) {
    member.tell({ kind: 'slow', byMs: SLOW_MS })
    return () => member.tell({ kind: 'slow', byMs: 0 })
  },
}

/**
 * Breaks processes of a stack for the fault switches of its app. The timer of a fault runs here and not in the app,
 * because the app may die before the fault ends.
 */
export class Breaker {
  readonly #members: readonly SupervisedProcess[]
  readonly #broken = new Map<number, Broken>()

  constructor(members: readonly SupervisedProcess[]) {
    this.#members = members
  }

  /** Handles messages of the app, whose fault switches break other processes of the stack. */
  obey(message: MemberMessage): void {
    if (message.kind === 'mend') this.mend(message.id)
    if (message.kind !== 'break') return
    const app = this.#members.find(({ name }) => name === 'app')
    app?.tell({ kind: 'broken', id: message.id, refusal: this.#break(message) })
  }

  /** @returns the reason why the fault was refused; null when it has begun */
  #break({ id, member: name, how, forMs }: BreakMessage): string | null {
    const member = this.#members.find(each => each.name === name)
    if (!member) return `there is no ${name} in this stack`
    const mend = breakages[how](member)
    if (!mend) return `${name} has just ended, and is being restarted`
    this.#broken.set(id, { mend, timer: setTimeout(() => this.mend(id), forMs).unref() })
    return null
  }

  /** Ends a fault. Nothing happens if it has already ended or never began. */
  mend(id: number): void {
    const broken = this.#broken.get(id)
    this.#broken.delete(id)
    clearTimeout(broken?.timer)
    broken?.mend()
  }

  mendAll(): void {
    for (const id of [...this.#broken.keys()]) this.mend(id)
  }
}
