import type { Breakage, MemberMessage, StackMessage } from '../../../lib/processes/protocol.ts'
import { place } from '../instances/instance.ts'

const ANSWER_LIMIT_MS = 2000

/** This process cannot cause the fault; the message says what is missing. */
export class FaultRefused extends Error {
  override name = 'FaultRefused'
}

/**
 * The connection to the process that started this one. Only that process can break other processes and start them
 * again.
 */
export class StackLink {
  readonly #waiting = new Map<number, (refusal: string | null) => void>()
  /**
   * The ids begin at the present time, because the stack may still have faults of an earlier app process: their ids
   * must differ.
   */
  #lastId = Date.now()

  constructor() {
    process.on('message', (message: StackMessage) => {
      if (message.kind === 'broken') this.#waiting.get(message.id)?.(message.refusal)
    })
  }

  /**
   * @returns a function that ends the fault early
   * @throws FaultRefused when there is no stack, or no such process in it
   */
  async break(member: string, how: Breakage, forMs: number): Promise<() => void> {
    const hint = `this fault needs a stack: npm start -- --faults, with ${member} in it`
    if (place) throw new FaultRefused('this fault is for an app of one instance')
    if (!process.connected) throw new FaultRefused(hint)
    const id = ++this.#lastId
    const { promise, resolve } = Promise.withResolvers<string | null>()
    const limit = setTimeout(() => resolve(hint), ANSWER_LIMIT_MS)
    this.#waiting.set(id, resolve)
    tell({ kind: 'break', id, member, how, forMs })
    const refusal = await promise
    clearTimeout(limit)
    this.#waiting.delete(id)
    if (refusal !== null) throw new FaultRefused(refusal)
    return () => tell({ kind: 'mend', id })
  }
}

const tell = (message: MemberMessage) => process.connected && process.send?.(message, undefined, {}, () => {})
