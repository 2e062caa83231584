import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '../../test/faults/fault.ts'
import { readmeOf } from './pack.ts'

/** The programs of a README while they run. */
interface Running {
  /** The URL on which the service listens. */
  readonly url: string
  /** The output of all programs so far. */
  output(): string
  /** The text of a file of the project; empty if there is none. */
  read(file: string): string
}

/**
 * The checks of the programs that a README shows, by the folder of the package. A check runs while the programs do, and
 * throws if one of them does not do what the README says.
 */
export const checks: Readonly<Record<string, (running: Running) => Promise<void>>> = {
  'logger-transport': async ({ url, read }) => {
    assert.deepEqual(await (await fetch(url)).json(), { hello: 'world' })
    await until(() => read('logs/service.log').includes('"msg":"hello"'))
  },
  'apm-agent': async ({ url, output }) => {
    assert.deepEqual(await (await fetch(`${url}/orders/7`)).json(), { order: { id: '7' } })
    const agent = /apm-agent listens on (http:\S+)/
    await until(() => agent.test(output()))
    const metrics = async () => (await fetch(`${agent.exec(output())?.[1]}/metrics`)).text()
    await until(async () => (await metrics()).includes('http_route="/orders/:id"'))
  },
}

/** The programs of READMEs that end, with what they write, by the folder of the package. */
export const outputs: Readonly<Record<string, string>> = {
  workers: '240\n',
  render: '200 <ul><li>1</li><li>2</li></ul>\n',
}

/** Runs the program that the README of a package shows first, and checks what it writes. The rest is as for `tryReadme`. */
export async function tryProgram(folder: string, project: string, node: string): Promise<void> {
  writeFileSync(join(project, 'program.js'), programOf(folder))
  const { stdout } = await promisify(execFile)(node, ['program.js'], { cwd: project })
  assert.equal(stdout, outputs[folder])
}

/** The blocks of code in a README, by their language. */
const blocksOf = (readme: string, language: string): string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code]) => code as string,
  )

/** The program that a README shows first. */
export const programOf = (folder: string): string => blocksOf(readmeOf(folder), 'js')[0] as string

/**
 * Runs the commands and the program that the README of a package shows first, as they stand, and checks what they do.
 * Only `npm install` is left out. Ports are free ones.
 * @param project a directory in which the package and all that the program imports are installed
 * @param node the Node.js that runs them
 */
export async function tryReadme(folder: string, project: string, node: string): Promise<void> {
  for (const left of ['logs', 'run']) rmSync(join(project, left), { recursive: true, force: true })
  writeFileSync(join(project, 'service.js'), programOf(folder))
  const commands = (blocksOf(readmeOf(folder), 'sh')[0] as string)
    .split('\n')
    .filter(line => line && !line.startsWith('npm install'))
  const env = {
    ...process.env,
    PATH: [dirname(node), process.env.PATH].join(delimiter),
    PORT: '0',
    DMT_PORT: '0',
  }
  const children = commands.map(line =>
    spawn('bash', ['-c', line.replace(/ &$/, '')], {
      cwd: project,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
  let text = ''
  const add = (chunk: Buffer) => {
    text += chunk
  }
  for (const { stdout, stderr } of children) for (const stream of [stdout, stderr]) stream.on('data', add)
  const read = (file: string) =>
    existsSync(join(project, file)) ? readFileSync(join(project, file), 'utf8') : ''
  const ended = Promise.race(children.map(child => once(child, 'exit'))).then(() => assert.fail(text))
  const tried = async () => {
    const listens = /Server listening at (http:\/\/127[\d.:]+)/
    const all = () => text + read('logs/service.log')
    await until(() => listens.test(all()))
    const url = listens.exec(all())?.[1] as string
    await checks[folder]?.({ url, output: () => text, read })
  }
  try {
    await Promise.race([tried(), ended])
  } finally {
    // A command is a group of processes: the shell, npx, and what that has started, which may outlive the others.
    const groups = children.map(({ pid }) => -(pid as number)).filter(isAlive)
    for (const group of groups) process.kill(group)
    await until(() => !groups.some(isAlive))
  }
}

function isAlive(group: number): boolean {
  try {
    return process.kill(group, 0)
  } catch {
    return false
  }
}
