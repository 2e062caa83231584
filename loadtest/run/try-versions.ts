import { UserError } from '../../lib/cli/user-error.ts'
import { findFreePort } from '../../lib/http/free-port.ts'
import type { Row } from '../sample/rows.ts'
import type { SampleSettings } from '../sample/settings.ts'
import { takeSample } from '../sample/take-sample.ts'

/** The trial says whether the app runs, not how fast. */
const TRIAL = { connections: 1, warmupSeconds: 0.2, durationSeconds: 0.5, acceptNoise: true } as const
type TrialSettings = Omit<SampleSettings, keyof typeof TRIAL>

/**
 * Tries every row whose app has another version of Node.js than this process with a short sample, before the run itself. A row that cannot be
 * measured stays with the reason, and is not the baseline of others.
 * @throws UserError when no row can be measured
 */
export async function tryVersions(
  rows: readonly Row[],
  settings: TrialSettings,
  abort: AbortSignal,
  take: typeof takeSample = takeSample,
): Promise<readonly Row[]> {
  if (rows.every(({ node }) => node === undefined)) return rows
  const livePort = await findFreePort()
  const tried: Row[] = []
  for (const row of rows) {
    const isOther = row.node !== undefined && row.node.version !== process.versions.node
    const reason =
      row.didNotRun ?? (isOther ? await findObstacle(row, settings, abort, livePort, take) : null)
    process.stderr.write(`[versions] ${row.name}: ${reason === null ? 'runs' : `did not run: ${reason}`}\n`)
    tried.push(reason === null ? row : { ...row, didNotRun: reason })
  }
  if (tried.every(({ didNotRun }) => didNotRun !== undefined))
    throw new UserError(`the app runs on none of these versions: ${tried.map(nameObstacle).join('; ')}`)
  return withBaselines(tried)
}

const nameObstacle = ({ node, didNotRun }: Row) => `${node?.version}: ${didNotRun}`

/**
 * A refused sample is no obstacle, because other programs may have caused it.
 * @returns the reason why the app does not start or answers wrongly, in one line; null when it runs
 */
async function findObstacle(
  row: Row,
  settings: TrialSettings,
  abort: AbortSignal,
  livePort: number,
  take: typeof takeSample,
): Promise<string | null> {
  try {
    await take(row, 0, { ...settings, ...TRIAL }, abort, livePort)
    return null
  } catch (error) {
    abort.throwIfAborted()
    return findReason((error as Error).message)
  }
}

/** The line that names the error; a failed start has the whole stack in its message. */
const findReason = (message: string): string => {
  const lines = message.split('\n').map(line => line.trim())
  return lines.find(line => /^(\w+ )?\w*Error\b/.test(line)) ?? (lines[0] as string)
}

/** Compares rows with the first row of their group that runs. */
const withBaselines = (rows: readonly Row[]): Row[] =>
  rows.map(row => {
    const group = rows.filter(({ baseline }) => baseline !== undefined && baseline === row.baseline)
    const first = group.find(({ didNotRun }) => didNotRun === undefined)
    return first ? { ...row, baseline: first.name } : row
  })
