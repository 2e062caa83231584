import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

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
  join(import.meta.dirname, '../../node_modules/.cache', `${name}-${version}`)
