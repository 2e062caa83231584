import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../../lib/command.ts'
import { integer, toggle } from '../../lib/options.ts'
import { formatDuration } from '../../lib/units.ts'
import { UserError } from '../../lib/user-error.ts'
import type { Fault } from './fault.ts'
import { groups } from './groups.ts'

const QUICK_SECONDS = 1

await runCommand({
  usage: 'npm run faults -- [GROUP …] [options]',
  description: `Makes things go wrong on real processes and checks what then must hold, a result a line.
Groups: ${Object.keys(groups).join(', ')}; all of them when none is named.`,
  options: {
    quick: toggle({ help: 'let every fault last a second only' }),
    seed: integer({
      min: 0,
      max: 1_000_000,
      help: 'decides what is drawn at random; drawn itself unless given',
    }),
  },
  takesWords: true,
  async run({ quick, seed = randomInt(1_000_000) }, words) {
    const unknown = words.find(word => !groups[word])
    if (unknown)
      throw new UserError(`there is no group "${unknown}"; the groups are ${Object.keys(groups).join(', ')}`)
    const chosen = (words.length > 0 ? words : Object.keys(groups)).flatMap(group =>
      (groups[group] as readonly Fault[]).map(fault => ({ group, fault })),
    )
    const seconds = (fault: Fault) => (quick ? Math.min(QUICK_SECONDS, fault.seconds) : fault.seconds)
    const planned = chosen.reduce((total, { fault }) => total + seconds(fault) + 3, 0)
    process.stderr.write(`${chosen.length} faults, about ${formatDuration(planned * 1000)}\n`)
    const failures: string[] = []
    for (const { group, fault } of chosen) {
      const outcome = await tryFault(fault, seconds(fault), seed)
      if (!outcome.held) failures.push(fault.name)
      process.stdout.write(`${outcome.held ? 'holds' : 'FAILS'}  ${group}: ${fault.name} → ${outcome.says}\n`)
    }
    if (failures.length > 0)
      throw new UserError(`${failures.length} of ${chosen.length} promises did not hold`)
  },
})

async function tryFault(
  { needs, run }: Fault,
  seconds: number,
  seed: number,
): Promise<{ held: boolean; says: string }> {
  const missing = needs?.()
  if (missing) return { held: true, says: `left out: ${missing}` }
  const directory = await mkdtemp(join(tmpdir(), 'faults-'))
  try {
    return { held: true, says: await run(directory, seconds, { seed, progress() {} }) }
  } catch (error) {
    return { held: false, says: (error as Error).message }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
