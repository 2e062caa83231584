import { UserError } from '../../lib/cli/user-error.ts'

/** Files that a process has open besides connections. */
const OTHERS = 500

/**
 * Checks that a process may hold so many connections. Node.js has raised its limit as far as it may.
 * @throws UserError
 */
export function requireOpenFiles(connections: number, limit = readLimit()): void {
  const needed = connections + OTHERS
  if (limit < needed)
    throw new UserError(
      `${connections} connections need ${needed} open files a process, and the limit is ${limit}; raise it (ulimit -Hn), or open fewer`,
    )
}

function readLimit(): number {
  // Without this, a report looks up the names of all peers.
  const report = Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = report.getReport() as { readonly userLimits?: UserLimits }
  const soft = Number(userLimits?.open_files?.soft ?? Number.NaN)
  return Number.isNaN(soft) ? Number.POSITIVE_INFINITY : soft
}

interface UserLimits {
  /** A number, or `unlimited`. */
  readonly open_files?: { readonly soft: number | string }
}
