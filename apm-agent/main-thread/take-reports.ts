import { channel } from 'node:diagnostics_channel'
import { createComplaint } from '../../lib/cli/terminal.ts'

const complain = createComplaint()

/**
 * Takes what Node.js or a library reports on a channel. The objects of a report belong to other people's code, in versions that are
 * not known here, so what `take` throws is said on stderr: Node.js would end the process with it.
 */
export function takeReports<Message>(name: string, take: (message: Message) => void): void {
  channel(name).subscribe(message => {
    try {
      take(message as Message)
    } catch (error) {
      complain(`apm-agent: telemetry lacks what ${name} reports (${(error as Error)?.message})`)
    }
  })
}
