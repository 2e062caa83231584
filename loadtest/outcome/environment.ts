import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, release, type } from 'node:os'

/** Where and when the figures were taken. */
export interface Environment {
  readonly node: string
  readonly v8: string
  readonly os: string
  readonly cpu: string
  readonly cores: number
  /** Of this repository, `-dirty` with changes that are not committed; null outside a repository. */
  readonly commit: string | null
  /** ISO 8601 */
  readonly date: string
}

/** Read at the start: a load test that gives its stacks some of the cores keeps itself to the others. */
const cores = availableParallelism()

export function readEnvironment(): Environment {
  return {
    node: process.version,
    v8: process.versions.v8,
    os: `${type()} ${release()}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores,
    commit: readCommit(),
    date: new Date().toISOString(),
  }
}

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
