import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, release, type } from 'node:os'
import type { Row } from '../sample/rows.ts'

/** The machine, the versions and the time of a measurement. */
export interface Environment {
  /** The version that ran everything but, in rows with a version of their own, the app. */
  readonly node: string
  readonly v8: string
  /** The versions that ran the apps of rows with a version of their own; absent without such rows. */
  readonly appNodes?: readonly string[]
  readonly os: string
  readonly cpu: string
  readonly cores: number
  /** Commit of this repository, with `-dirty` when there are uncommitted changes; null outside of a repository. */
  readonly commit: string | null
  /** Date and time in ISO 8601. */
  readonly date: string
}

/** Read at the start: a load test that pins its stacks to some cores later pins itself to the others. */
const cores = availableParallelism()

/** @param rows of the run, whose apps may have versions of their own */
export function readEnvironment(rows: readonly Pick<Row, 'node'>[] = []): Environment {
  const appNodes = [...new Set(rows.flatMap(({ node }) => node?.version ?? []))]
  return {
    node: process.version,
    v8: process.versions.v8,
    ...(appNodes.length > 0 && { appNodes }),
    os: `${type()} ${release()}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores,
    commit: readCommit(),
    date: new Date().toISOString(),
  }
}

/** `Node.js v26.10.0`, and the versions that ran apps. */
export const describeNode = ({ node, appNodes }: Environment): string =>
  appNodes ? `Node.js ${node} (apps on ${appNodes.join(', ')})` : `Node.js ${node}`

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
