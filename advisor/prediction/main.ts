import { join } from 'node:path'
import type { Column } from '../../lib/cli/columns.ts'
import { runCommand } from '../../lib/cli/command.ts'
import { renderMarkdownTable } from '../../lib/cli/markdown.ts'
import { duration, integer } from '../../lib/cli/options.ts'
import { findFreePort } from '../../lib/http/free-port.ts'
import { mean } from '../../loadtest/statistics/mean.ts'
import { type Bound, boundOf } from '../advice/bound.ts'
import { readGain } from '../advice/gains.ts'
import { measureHop } from '../advice/hop.ts'
import { abortOnStop, withSubject } from '../commands/subject.ts'
import { createConcernOf } from '../concerns/concerns.ts'
import { percent, ratioWithin } from '../output/tables.ts'
import { createFindOwner } from '../owners/owner-of.ts'
import { pause } from '../process/pause.ts'
import { readSeenTime } from '../spectrum/parts.ts'
import { byConcern, split } from '../spectrum/spectrum.ts'
import { watchProcess } from '../watching/watch-process.ts'
import { isBroken, joinBounds, type Measured } from './judge.ts'
import { type Move, moves } from './moves.ts'

const ROOT = join(import.meta.dirname, '../..')
const CONCERNS = join(import.meta.dirname, 'ours.json')
const CONNECTIONS = 50
const READY_MS = 30_000
const MESSAGE_BYTES = 4096

/** The concerns that leave, as one or more profiles of the step before show them. */
interface Profiled {
  readonly share: number
  readonly coverage: number | null
  readonly bound: Bound
}

interface Row extends Profiled {
  readonly move: Move
  readonly gain: Measured
}

const columns: readonly Column<Row>[] = [
  { title: 'step', cell: ({ move }) => move.to },
  { title: 'what leaves', cell: ({ move }) => move.concerns.join(', ') },
  { title: 'coverage', cell: ({ coverage }) => (coverage === null ? '' : percent(coverage)) },
  { title: 'share before', cell: ({ share }) => percent(share) },
  { title: 'cost at best', cell: ({ bound }) => ratioWithin(bound.costAtBest, bound.costAtBestRange) },
  { title: 'cost measured', cell: ({ gain }) => ratioWithin(gain.ratio, gain.ci95) },
  {
    title: 'bound',
    cell: ({ coverage, bound, gain }) =>
      coverage === null ? 'not known' : isBroken(bound, gain) ? 'broken' : 'holds',
  },
]

await runCommand({
  usage: 'npm run bench:prediction -- [options]',
  description:
    'Predicts the gain of each of our own steps from a spectrum of the step before, and compares it with the gain that the published runs have measured.',
  options: {
    rounds: integer({ help: 'fresh stacks for each step', default: '2', min: 1, max: 20 }),
    warmupMs: duration({ help: 'time under load before the profile', default: '3s' }),
    forMs: duration({ help: 'duration of each profile', default: '6s', minMs: 1000 }),
  },
  async run({ rounds, ...times }) {
    const abort = abortOnStop()
    process.chdir(ROOT)
    const rows: Row[] = []
    for (const move of moves) {
      const profiles: Profiled[] = []
      for (let round = 0; round < rounds; round++) profiles.push(await profile(move, times, abort))
      const row = summarize(move, profiles)
      rows.push(row)
      process.stderr.write(`${columns.map(({ cell }) => cell(row)).join('  ')}\n`)
    }
    process.stdout.write(`${renderMarkdownTable(rows, columns)}\n`)
  },
})

/** Profiles the step before a move, in a fresh stack under load. */
async function profile(
  { from, concerns, path }: Move,
  { warmupMs, forMs }: { warmupMs: number; forMs: number },
  abort: AbortSignal,
): Promise<Profiled> {
  const hop = await measureHop(MESSAGE_BYTES)
  const port = await findFreePort()
  const chosen = {
    attach: undefined,
    url: `http://127.0.0.1:${port}${path}`,
    connections: CONNECTIONS,
    readyMs: READY_MS,
  }
  const words = [process.execPath, 'stack/main.ts', '--step', from, '--port', String(port)]
  return withSubject(chosen, words, abort, async ({ pid }) => {
    await pause(warmupMs, abort)
    const [window] = await watchProcess(pid, abort, watched => watched.profile(forMs))
    const spectrum = split(
      window,
      readSeenTime(window.profile, createFindOwner(ROOT), createConcernOf(CONCERNS)),
    )
    const share = byConcern(spectrum)
      .filter(({ concern }) => concerns.includes(concern))
      .reduce((sum, each) => sum + each.share + each.gcShare, 0)
    const hopShare = (hop.mainThreadMicros * window.requests) / ((spectrum.cpuMs as number) * 1000)
    return { share, coverage: spectrum.coverage, bound: boundOf(share, hopShare, spectrum) }
  })
}

function summarize(move: Move, profiles: readonly Profiled[]): Row {
  const coverages = profiles.map(({ coverage }) => coverage).filter(coverage => coverage !== null)
  return {
    move,
    share: mean(profiles.map(({ share }) => share)),
    coverage: coverages.length < profiles.length ? null : mean(coverages),
    bound: joinBounds(profiles.map(({ bound }) => bound)),
    gain: readGain(move.run, move.to),
  }
}
