import type { Agenda } from './agenda.ts'
import type { Server } from './thread.ts'

/** Other machines, with as many cores as there are requests: work takes its time there, and never waits. */
export class Elsewhere {
  readonly count = Number.POSITIVE_INFINITY
  readonly #agenda: Agenda

  constructor(agenda: Agenda) {
    this.#agenda = agenda
  }

  thread(): Server {
    const server = {
      ...{ usedMicros: 0, wakeups: 0 },
      work: (cpuMicros: number, then = () => {}) => {
        server.usedMicros += cpuMicros
        server.wakeups++
        this.#agenda.after(cpuMicros, then)
      },
    }
    return server
  }
}
