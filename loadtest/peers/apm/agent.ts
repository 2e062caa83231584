import { createRequire } from 'node:module'
import type { Apm, CreateApm } from '../../../app/concerns/apm/contract.ts'
import { createApm as createNone } from '../../../app/concerns/apm/none.ts'
import { type IntakeAddress, startIntake } from './start-intake.ts'

/** The agent of a vendor, once it has been started. */
interface Agent {
  /** Names the route of the present request, as the instrumentations of frameworks would. */
  nameRoute(path: string): void
  /** Delivers what the agent still has. */
  flush(): Promise<unknown>
}

/** Packages of the agents are CommonJS, and wrap what other modules load by `require`. */
export const require = createRequire(import.meta.url)

/**
 * Makes an implementation of the agent of a vendor: a process of its own answers as the vendor's intake does, and counts
 * the spans that it gets. The agent records requests and upstream calls by itself, with its default settings.
 */
export const createAgent =
  (vendor: string, start: (intake: IntakeAddress) => Agent): CreateApm =>
  async options => {
    const intake = await startIntake(vendor)
    const agent = start(intake.address)
    require('node:http')
    require('undici')
    const none: Apm = await createNone(options)
    let spans = { emitted: 0, delivered: 0, dropped: 0 }
    return {
      ...none,
      enterRoute: path => agent.nameRoute(path),
      counts: () => ({ ...none.counts(), spans }),
      async close() {
        await agent.flush()
        const counts = await intake.count()
        if (counts.failed > 0)
          throw new Error(`the intake could not read ${counts.failed} requests of the agent`)
        // What an agent has left out it does not tell.
        spans = { ...spans, emitted: counts.spans, delivered: counts.spans }
        intake.end()
      },
    }
  }
