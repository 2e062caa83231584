import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** @returns what is missing where Go is older than 1.`minor`, or undefined */
export const findMissingGo = (minor: number): string | undefined =>
  goVersion() < minor ? `there is no Go 1.${minor} or newer (apt-get install golang)` : undefined

/** The minor version of Go 1; 0 without Go. */
function goVersion(): number {
  try {
    const version = execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8', stdio: 'pipe' })
    return Number(/^go1\.(\d+)/.exec(version)?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Runs a command of Go, without the work space and the repository that the directory may be in. @returns its stdout */
export function go(
  words: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): string {
  const env = { ...process.env, GOFLAGS: '-buildvcs=false', GOWORK: 'off', ...options.env }
  return execFileSync('go', words, { encoding: 'utf8', stdio: 'pipe', ...options, env })
}

/** The last line that a failed command wrote to stderr. */
export const reasonOf = (error: unknown): string =>
  String((error as { stderr?: string }).stderr)
    .trim()
    .split('\n')
    .at(-1) ?? ''

/** A command of a Python package, in a virtual environment of its own. The command has the name of the package. */
export function pypiCommand(name: string, version: string) {
  const directory = toolDirectory(name, version)
  const command = join(directory, 'bin', name)
  return {
    command,
    /** Installs the command unless it is there. @returns what is missing for that, or undefined */
    findMissing(): string | undefined {
      if (existsSync(command)) return undefined
      try {
        execFileSync('python3', ['-m', 'venv', directory], { stdio: 'pipe' })
      } catch {
        return 'there is no Python with venv (apt-get install python3-venv)'
      }
      try {
        execFileSync(join(directory, 'bin/pip'), ['install', '--quiet', `${name}==${version}`], {
          stdio: 'pipe',
        })
        return undefined
      } catch {
        return `${name} ${version} cannot be installed from PyPI`
      }
    },
  }
}

/** Tools that npm does not have are installed here. They stay until the next `npm ci`. */
export const toolDirectory = (name: string, version: string): string =>
  join(import.meta.dirname, '../node_modules/.cache', `${name}-${version}`)
