import { type ChildProcess, spawn } from 'node:child_process'
import { UserError } from '../../lib/cli/user-error.ts'
import { endGroup } from '../process/end-group.ts'

/** A command of the user that loads the service. It is started again when it has ended, until `stop`. */
export interface LoadCommand {
  /** Aborts once the command fails. */
  readonly failed: AbortSignal
  stop(): Promise<void>
}

/** @param command for the shell; its output is dropped */
export function startLoadCommand(command: string): LoadCommand {
  const controller = new AbortController()
  const fail = (what: string) => controller.abort(new UserError(`--load-with ${what}: ${command}`))
  let isStopping = false
  let child: ChildProcess
  const start = () => {
    child = spawn('sh', ['-c', command], { stdio: 'ignore', detached: true })
    child.on('error', error => fail(`cannot be started (${error.message})`))
    child.on('exit', (code, signal) => {
      if (isStopping) return
      if (code === 0) start()
      else fail(`failed (${signal ?? `exit code ${code}`})`)
    })
  }
  start()
  return {
    failed: controller.signal,
    async stop() {
      isStopping = true
      await endGroup(child)
    },
  }
}
