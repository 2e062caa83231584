import { UserError } from '../../lib/cli/user-error.ts'
import { seededRandom, shuffled } from '../../lib/random.ts'
import { MAX_REPETITIONS } from '../../loadtest/run/measure.ts'
import { isLook } from '../../loadtest/statistics/looks.ts'
import { compareBodies } from './bodies.ts'
import { decide } from './compare.ts'
import { type Block, type Both, names, type SampleSettings } from './running-side.ts'
import { takeBlock } from './take-block.ts'

/** A body that is new in every process shows as such from the second block on. */
const FIRST_BODY_CHECK = 2

export interface BlockSettings extends SampleSettings {
  /** Exactly so many blocks; undefined if the budget and the verdict end the comparison. */
  readonly blocks: number | undefined
  readonly budgetMs: number
  readonly anyBody: boolean
}

/**
 * Measures both sides in fresh processes, once in each block, in random order. It goes on until the difference is found, or
 * the budget is spent. A block is taken again if one side is refused.
 * @param sides commands for the shell; `{port}` in one is the port on which it has to listen
 * @param tell called with a line about each block
 * @throws UserError when a side does not start, or its samples are refused again and again, or bodies differ
 */
export async function runBlocks(
  sides: Both<string>,
  settings: BlockSettings,
  abort: AbortSignal,
  tell: (line: string) => void,
): Promise<Block[]> {
  const random = seededRandom(1)
  const of = settings.blocks === undefined ? '' : ` of ${settings.blocks}`
  const startedAtMs = performance.now()
  const blocks: Block[] = []
  let refusals = 0
  while (wantsMore(blocks, settings, performance.now() - startedAtMs)) {
    const block = await takeBlock(sides, shuffled(names, random), settings, abort)
    const refused = names.find(each => block[each].reason !== null)
    if (refused) {
      const reason = `${refused}: ${block[refused].reason}`
      if (refusals++ === MAX_REPETITIONS) throw new UserError(reason)
      tell(`a block is refused: ${reason}`)
      continue
    }
    refusals = 0
    blocks.push(block)
    if (!settings.anyBody && blocks.length >= FIRST_BODY_CHECK) compareBodies(blocks)
    tell(`block ${blocks.length}${of}: ${describe(blocks)}`)
  }
  return blocks
}

/** Whether the difference is not found yet, and there is time for a further block as long as the others. */
function wantsMore(blocks: readonly Block[], wanted: BlockSettings, spentMs: number): boolean {
  if (wanted.blocks !== undefined) return blocks.length < wanted.blocks
  if (blocks.length < 2) return true
  const isFound = isLook(2, blocks.length) && decide(blocks)?.verdict !== 'inconclusive'
  return !isFound && spentMs * (1 + 1 / blocks.length) <= wanted.budgetMs
}

function describe(blocks: readonly Block[]): string {
  const { before, after } = blocks.at(-1) as Block
  const costs = `before ${cost(before)}, after ${cost(after)} µs of CPU time for each response`
  const found = decide(blocks)
  if (!found?.ci95) return costs
  const ends = found.ci95.map(end => end.toFixed(3)).join(', ')
  return `${costs}; ratio so far ${found.ratio?.toFixed(3)} [${ends}]`
}

const cost = ({ mainThreadMicros, totalMicros }: Block['before']) =>
  (mainThreadMicros ?? totalMicros)?.toFixed(0) ?? 'unknown'
