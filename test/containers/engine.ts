import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/**
 * The commands of Docker. CONTAINERS may name another command, which takes the words of compose, and after the word
 * `podman` those of podman.
 */
const standIn = process.env.CONTAINERS
const [composeCommand, engineCommand] = standIn
  ? [[standIn], [standIn, 'podman']]
  : [['docker', 'compose'], ['docker']]

/** A project with its own name and ports, so that it can run beside another stack. */
export interface Project {
  readonly name: string
  readonly env: Readonly<Record<string, string>>
}

/**
 * Runs `docker compose …` on the files of the project.
 * @returns the output on stdout
 * @throws with the output on stderr when the command fails
 */
export const compose = ({ name, env }: Project, words: readonly string[], more: Project['env'] = {}) =>
  run([...composeCommand, '-p', name, ...words], { ...env, ...more })

/** Runs `docker …` in the same way. */
export const engine = (...words: readonly string[]) => run([...engineCommand, ...words])

/** Runs a program in the image of a service, with the volumes of the service. */
export const runIn = (project: Project, service: string, program: string, ...args: readonly string[]) =>
  compose(project, ['run', '--rm', '--no-deps', '-T', '--entrypoint', program, service, ...args])

/** The remains of a project: containers, volumes, networks. */
export async function listLeftovers({ name }: Project): Promise<string> {
  const ofProject = ['--filter', `label=com.docker.compose.project=${name}`, '-q']
  const lists = [
    ['ps', '-a'],
    ['volume', 'ls'],
    ['network', 'ls'],
  ] as const
  return (await Promise.all(lists.map(words => engine(...words, ...ofProject)))).join('').trim()
}

/** A property of the container of a service, as a Go template names it. */
export async function inspect(project: Project, service: string, template: string): Promise<string> {
  const labels = { project: project.name, service }
  const filters = Object.entries(labels).flatMap(([label, value]) => [
    '--filter',
    `label=com.docker.compose.${label}=${value}`,
  ])
  const id = (await engine('ps', '-a', '-q', ...filters)).trim()
  return (await engine('inspect', '-f', template, id)).trim()
}

/**
 * Kills the processes of a container, from within, because no engine restarts a container that it was told to kill. If
 * the engine cannot start a command in a running container, the process is killed from the machine.
 */
export async function kill(project: Project, service: string): Promise<void> {
  try {
    await compose(project, ['exec', '-T', service, 'bash', '-c', 'kill -KILL -1'])
  } catch {
    process.kill(Number(await inspect(project, service, '{{.State.Pid}}')), 'SIGKILL')
  }
}

async function run([file = '', ...args]: readonly string[], env: Project['env'] = {}): Promise<string> {
  const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  if (code !== 0) throw new Error(`${[file, ...args].join(' ')} ended with ${code}:\n${stderr}`)
  return stdout
}
