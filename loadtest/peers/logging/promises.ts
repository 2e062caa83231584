import type { Column } from '../../../lib/cli/columns.ts'

/** The ways in which a logger treats lines that its destination does not take yet. */
export type Stalled = 'dropped and counted' | 'memory grows' | 'the service waits'

/** Which lines of a process an implementation of logging delivers; the tests beside this folder try each entry. */
interface Promises {
  /** The lines that are lost after `process.exit()`; absent if none is. */
  readonly exit?: string
  /** The lines that are lost when the process is killed; absent if none is. */
  readonly killed?: string
  /** How it treats lines while the destination takes none. */
  readonly stalled: Stalled
}

const inThread = { killed: 'what waits for its thread', stalled: 'memory grows' } as const
const lastTurn = "the event loop's last turn"

export const linePromises: Readonly<Record<string, Promises>> = {
  sidecar: { killed: 'the last 250 ms or 256 KiB', stalled: 'dropped and counted' },
  pino: { killed: 'the last 4 KiB', stalled: 'memory grows' },
  'pino-transport': inThread,
  'pino-targets': inThread,
  'pino-roll': inThread,
  winston: { exit: lastTurn, killed: lastTurn, stalled: 'memory grows' },
  roarr: { exit: lastTurn, killed: lastTurn, stalled: 'memory grows' },
  console: { stalled: 'the service waits' },
}

/** The loggers that keep the same promises. */
export const loggers = [
  ...Map.groupBy(Object.entries(linePromises), ([, promises]) => JSON.stringify(promises)).values(),
].map(same => ({ names: same.map(([name]) => name), promises: (same[0] as (typeof same)[0])[1] }))

export const lineColumns: readonly Column<(typeof loggers)[number]>[] = [
  { title: 'logger', cell: ({ names }) => names.join(', ').replace('sidecar', 'logger-transport') },
  { title: 'lost after `process.exit()`', cell: ({ promises }) => promises.exit ?? '-' },
  { title: 'lost when killed', cell: ({ promises }) => promises.killed ?? '-' },
  { title: 'destination takes nothing', cell: ({ promises }) => promises.stalled },
]
