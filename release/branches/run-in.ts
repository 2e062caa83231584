import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { UserError } from '../../lib/cli/user-error.ts'
import { findFreePort } from '../../lib/http/listen.ts'
import { hasEnded } from '../../lib/os/process.ts'

const LAST_LINES = 60

/** The environment of an ordinary shell, without the variables that npm sets for its scripts. */
const readEnv = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD|NODE_TEST_CONTEXT)/.test(name)),
  )

/** @throws UserError with the last lines of the command, when it fails */
export async function runIn(directory: string, command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { cwd: directory, env: readEnv(), stdio: ['ignore', 'pipe', 'pipe'] })
  const lines = followLines(child)
  const [code, signal] = await once(child, 'close')
  if (code === 0) return
  const said = lines.slice(-LAST_LINES).join('\n')
  throw new UserError(`${command} ${args.slice(0, 3).join(' ')} ended with ${signal ?? code}:\n${said}`)
}

/**
 * Starts the service with `npm start` on free ports, requests the paths, and stops the service. @returns the bodies
 * @throws UserError when the service does not start, answer and stop as it should
 */
export async function askStep(
  directory: string,
  paths: readonly string[],
  stop: AbortSignal,
): Promise<string[]> {
  const child = spawn('npm', ['start', '--', `--port=${await findFreePort()}`], {
    cwd: directory,
    env: readEnv(),
    detached: true,
  })
  const ended = once(child, 'close')
  const lines = followLines(child)
  // The signal goes to npm and its child, as Ctrl-C in a terminal does.
  const interrupt = () => !hasEnded(child) && process.kill(-(child.pid as number), 'SIGINT')
  stop.addEventListener('abort', interrupt)
  try {
    const url = await Promise.race([findUrl(child), ended.then(() => undefined)])
    if (!url) throw new UserError(`npm start ended:\n${lines.slice(-LAST_LINES).join('\n')}`)
    const bodies: string[] = []
    for (const path of paths) {
      const response = await fetch(url + path)
      const body = await response.text()
      if (response.status !== 200) throw new UserError(`${path} is answered with ${response.status}: ${body}`)
      bodies.push(body)
    }
    return bodies
  } finally {
    stop.removeEventListener('abort', interrupt)
    interrupt()
    await ended
  }
}

/** Waits for the line of the app, which comes last. */
async function findUrl(child: ChildProcess): Promise<string | undefined> {
  for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream })) {
    const url = /^app +(http\S+)/.exec(line)?.[1]
    if (url) return url
  }
  return undefined
}

function followLines(child: ChildProcess): readonly string[] {
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream as NodeJS.ReadableStream }).on('line', line => lines.push(line))
  }
  return lines
}
