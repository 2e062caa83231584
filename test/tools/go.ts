import { execFileSync } from 'node:child_process'

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
