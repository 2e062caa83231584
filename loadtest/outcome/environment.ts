import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, release, type } from 'node:os'

export interface Environment {
  /** The version that ran everything but the apps of rows that have a version of their own. */
  readonly node: string
  readonly v8: string
  readonly os: string
  readonly cpu: string
  readonly cores: number
  /** With `-dirty` when there are uncommitted changes; null outside of a repository. */
  readonly commit: string | null
  /** Date and time in ISO 8601. */
  readonly date: string
}

/** Read at the start: a load test that pins its stacks pins itself, too. */
const cores = availableParallelism()

export const readEnvironment = (): Environment => ({
  node: process.version,
  v8: process.versions.v8,
  os: `${type()} ${release()}`,
  cpu: cpus()[0]?.model ?? 'unknown',
  cores,
  commit: readCommit(),
  date: new Date().toISOString(),
})

function readCommit(): string | null {
  try {
    const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude', '*']
    return execFileSync('git', args, { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  } catch {
    return null
  }
}
