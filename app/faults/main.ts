import { runCommand } from '../../lib/command.ts'
import { duration, toggle } from '../../lib/options.ts'
import { formatDuration } from '../../lib/units.ts'
import { UserError } from '../../lib/user-error.ts'
import { appOptions } from '../config.ts'
import { FAULTS_PATH, type ListedFault } from './fault-routes.ts'
import { switches } from './switches.ts'

const faults = Object.keys(switches)
const listed = faults.join(', ')

await runCommand({
  usage: 'npm run fault -- [FAULT] [options]',
  description: `Switches a fault on in an app that runs with --faults; without a name, lists them.
Faults: ${listed}.`,
  options: {
    for: duration({ default: '5s', minMs: 1, help: 'how long it lasts' }),
    end: toggle({ help: 'end the fault now' }),
    faultToken: { ...appOptions.faultToken, help: 'token that the app printed at its start' },
    adminPort: appOptions.adminPort,
  },
  takesWords: true,
  async run({ for: forMs, end, faultToken, adminPort }, [name, ...others]) {
    if (name !== undefined && !faults.includes(name))
      throw new UserError(`there is no fault "${name}"; the faults are ${listed}`)
    if (others.length > 0)
      throw new UserError(`one fault is expected, received "${others[0]}" too; the faults are ${listed}`)
    if (!faultToken) throw new UserError('the token that the app printed is missing: --fault-token')
    const path = name === undefined ? FAULTS_PATH : `${FAULTS_PATH}/${name}`
    const query = name === undefined || end ? '' : `?for=${forMs}ms`
    const method = name === undefined ? 'GET' : end ? 'DELETE' : 'POST'
    const headers = { authorization: `Bearer ${faultToken}` }
    const url = `http://127.0.0.1:${adminPort}${path}${query}`
    const response = await fetch(url, { method, headers }).catch(({ message, cause }) => {
      throw new UserError(
        `no app answers at ${url} (${cause?.code ?? cause?.message ?? message}); set its port with --admin-port`,
      )
    })
    const answer = await response.json().catch(() => {
      throw new UserError(
        `the server at ${url} is not the app's admin server; set its port with --admin-port`,
      )
    })
    if (!response.ok) throw new UserError((answer as { detail: string }).detail)
    process.stdout.write(`${render(answer as ListedFault[])}\n`)
  },
})

function render(faults: readonly ListedFault[]): string {
  const left = ({ remainingMs }: ListedFault) =>
    remainingMs === null ? '' : `${formatDuration(remainingMs)} left`
  return faults.map(fault => `${fault.name.padEnd(17)}${left(fault).padEnd(15)}${fault.help}`).join('\n')
}
