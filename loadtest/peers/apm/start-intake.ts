import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface IntakeAddress {
  readonly url: string
  /** The certificate of its server, if it uses TLS. */
  readonly certificate?: string
}

/** An intake answers, accepts requests and never answers, or refuses connections. */
export type IntakeState = 'answering' | 'silent' | 'away'

/** The spans that an intake got, and the requests that it could not read. What it gets while it is silent does not count. */
export interface IntakeCounts {
  spans: number
  failed: number
}

/** Starts a process that answers as the intake of a vendor does, or of OpenTelemetry (`otlp`). */
export async function startIntake(vendor: string) {
  // Flags of the app, such as that of its peers, are not for the intake.
  const intake = fork(join(import.meta.dirname, 'intake.ts'), [vendor], { execArgv: [] })
  const [address] = (await once(intake, 'message')) as [IntakeAddress]
  intake.unref()
  intake.channel?.unref()
  const ask = async (asked: IntakeState | 'count'): Promise<IntakeCounts> => {
    intake.channel?.ref()
    intake.send(asked)
    const [counts] = await once(intake, 'message')
    intake.channel?.unref()
    return counts
  }
  return {
    address,
    count: () => ask('count'),
    become: (state: IntakeState) => ask(state),
    end: () => intake.disconnect(),
  }
}
