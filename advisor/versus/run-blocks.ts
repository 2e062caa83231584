import { UserError } from '../../lib/cli/user-error.ts'
import { seededRandom, shuffled } from '../../lib/random.ts'
import { measure, type RunState } from '../../loadtest/run/measure.ts'
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

/** A block is one sample of the engine: it is taken again if one side is refused. */
interface TakenBlock extends Block {
  readonly round: number
  readonly valid: boolean
  readonly reason: string | null
}

/**
 * Measures both sides in fresh processes, once in each block, in random order. It goes on until the difference is found, or
 * the budget is spent.
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
  const wantsMore = (blocks: readonly Block[], { spentMs, sampleMs }: RunState): boolean => {
    if (settings.blocks !== undefined) return blocks.length < settings.blocks
    if (blocks.length < 2) return true
    const isFound = isLook(2, blocks.length) && decide(blocks)?.verdict !== 'inconclusive'
    return !isFound && spentMs + sampleMs <= settings.budgetMs
  }
  const blocks = await measure<'both sides', TakenBlock, Block[]>(
    {
      rows: ['both sides'],
      seed: 1,
      next(state, samples) {
        const last = samples.get('both sides')?.at(-1)
        if (last && !last.valid) throw new UserError(last.reason ?? '')
        return wantsMore(validOf(samples.get('both sides')), state) ? ['both sides'] : []
      },
      async take(_row, round) {
        const block = await takeBlock(sides, shuffled(names, random), settings, abort)
        const refused = names.find(each => block[each].reason !== null)
        const reason = refused ? `${refused}: ${block[refused].reason}` : null
        return { ...block, round, valid: reason === null, reason }
      },
      found(samples) {
        const blocks = validOf(samples.get('both sides'))
        if (!settings.anyBody && blocks.length >= FIRST_BODY_CHECK) compareBodies(blocks)
        return blocks.length > 0 ? describe(blocks) : ''
      },
      results: samples => validOf(samples.get('both sides')),
      save() {},
      progress: {
        plan() {},
        started() {},
        finished(_row, { reason }) {
          if (reason !== null) tell(`a block is refused: ${reason}`)
        },
        finishedBlock(block, found) {
          if (found) tell(`block ${block}${of}: ${found}`)
        },
      },
    },
    abort,
  )
  abort.throwIfAborted()
  return blocks
}

const validOf = (taken: readonly TakenBlock[] = []): Block[] => taken.filter(({ valid }) => valid)

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
