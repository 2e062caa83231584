import { runCommand } from '../../../lib/cli/command.ts'
import { duration, toggle } from '../../../lib/cli/options.ts'
import { UserError } from '../../../lib/cli/user-error.ts'
import { formatDuration } from '../../../lib/units.ts'
import { appOptions } from '../../config.ts'
import { FAULTS_PATH } from './fault-routes.ts'
import type { ListedFault } from './faults.ts'
import { faultNames } from './switches.ts'
import { faultHeaders } from './token.ts'

const faults: readonly string[] = faultNames
const listed = faults.join(', ')

await runCommand({
  usage: 'npm run fault -- [FAULT] [options]',
  description: `Switches a fault on in an app that runs with --faults; without a name, lists them.
Faults: ${listed}.`,
  options: {
    for: duration({ default: '5s', minMs: 1, help: 'how long it lasts' }),
    end: toggle({ help: 'end the fault now' }),
    adminPort: appOptions.adminPort,
  },
  takesWords: true,
  async run({ for: forMs, end, adminPort }, [name, ...others]) {
    if (name !== undefined && !faults.includes(name))
      throw new UserError(`there is no fault "${name}"; the faults are ${listed}`)
    if (others.length > 0)
      throw new UserError(`one fault is expected, received "${others[0]}" too; the faults are ${listed}`)
    const admin = `http://127.0.0.1:${adminPort}`
    const path = name === undefined ? FAULTS_PATH : `${FAULTS_PATH}/${name}`
    const query = name === undefined || end ? '' : `?for=${forMs}ms`
    const method = name === undefined ? 'GET' : end ? 'DELETE' : 'POST'
    const url = `${admin}${path}${query}`
    const response = await fetch(url, { method, headers: faultHeaders() }).catch(({ message, cause }) => {
      throw new UserError(
        `no app answers at ${admin} (${cause?.code ?? cause?.message ?? message}): the stack is not running, or has another --admin-port`,
      )
    })
    const answer = await response.json().catch(() => {
      throw new UserError(
        `the server at ${admin} is not the app's admin server; set its port with --admin-port`,
      )
    })
    if (response.status === 401) throw new UserError(`the app at ${admin} is another user's`)
    if (response.status === 404)
      throw new UserError(`the server at ${admin} has no fault switches: the app needs --faults`)
    if (!response.ok) throw new UserError((answer as { detail: string }).detail)
    process.stdout.write(`${render(answer as ListedFault[])}\n`)
  },
})

function render(faults: readonly ListedFault[]): string {
  const left = ({ remainingMs }: ListedFault) =>
    remainingMs === null ? '' : `${formatDuration(remainingMs)} left`
  return faults.map(fault => `${fault.name.padEnd(17)}${left(fault).padEnd(15)}${fault.help}`).join('\n')
}
