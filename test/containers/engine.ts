import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** Docker, unless DMT_CONTAINERS names another command. That takes the words of compose, or `podman` and the words of podman. */
const standIn = process.env.DMT_CONTAINERS
const [composeCommand, engineCommand] = standIn
  ? [[standIn], [standIn, 'podman']]
  : [['docker', 'compose'], ['docker']]

/** The test has a project name and ports of its own, so it can run beside another stack. */
export interface Project {
  readonly name: string
  readonly env: Readonly<Record<string, string>>
}

/**
 * Runs `docker compose …` on the project's files.
 * @returns what it wrote to stdout
 * @throws with what it wrote to stderr when it fails
 */
export const compose = ({ name, env }: Project, words: readonly string[], more: Project['env'] = {}) =>
  run([...composeCommand, '-p', name, ...words], { ...env, ...more })

/** Runs `docker …`. The result and the error are the same as above. */
export const engine = (...words: readonly string[]) => run([...engineCommand, ...words])

/** Runs a program of a service's image, with the service's volumes. */
export const runIn = (project: Project, service: string, program: string, ...args: readonly string[]) =>
  compose(project, ['run', '--rm', '--no-deps', '-T', '--entrypoint', program, service, ...args])

/** The containers, volumes and networks of a project that still exist. */
export async function listLeftovers({ name }: Project): Promise<string> {
  const ofProject = ['--filter', `label=com.docker.compose.project=${name}`, '-q']
  const lists = [
    ['ps', '-a'],
    ['volume', 'ls'],
    ['network', 'ls'],
  ] as const
  return (await Promise.all(lists.map(words => engine(...words, ...ofProject)))).join('').trim()
}

/** Reads one property of a service's container, named by a Go template. */
export async function inspect(project: Project, service: string, template: string): Promise<string> {
  return (await engine('inspect', '-f', template, await findContainer(project, service))).trim()
}

/** The id of a service's container, whether or not it runs. */
async function findContainer(project: Project, service: string): Promise<string> {
  const labels = { project: project.name, service }
  const filters = Object.entries(labels).flatMap(([label, value]) => [
    '--filter',
    `label=com.docker.compose.${label}=${value}`,
  ])
  return (await engine('ps', '-a', '-q', ...filters)).trim()
}

/**
 * Kills the processes of a container, from within, because no engine restarts a container that it was told to kill. If
 * the engine cannot start a command in a running container, the process is killed from the machine.
 */
export async function kill(project: Project, service: string): Promise<void> {
  try {
    // Compose itself does not know a service whose profile is not named.
    await engine('exec', await findContainer(project, service), 'bash', '-c', 'kill -KILL -1')
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

/** Whether a server answers with a status below 300. */
export const isOk = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
