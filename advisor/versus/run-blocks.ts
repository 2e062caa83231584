import { UserError } from '../../lib/cli/user-error.ts'
import { seededRandom, shuffled } from '../../lib/random.ts'
import { isLook } from '../../loadtest/statistics/looks.ts'
import { compareBodies } from './bodies.ts'
import { decide } from './compare.ts'
import { type Block, type Both, names, type SampleSettings } from './sample.ts'
import { takeBlock } from './take-block.ts'
import type { Side } from './variants.ts'

/** A refused block is taken again this often. */
const MAX_REPETITIONS = 3
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
 * the budget is spent.
 * @param tell called with a line about each block
 * @throws UserError when a side does not start, or its samples are refused again and again, or bodies differ
 */
export async function runBlocks(
  sides: Both<Side>,
  settings: BlockSettings,
  abort: AbortSignal,
  tell: (line: string) => void,
): Promise<Block[]> {
  const startedAtMs = performance.now()
  const random = seededRandom(1)
  const blocks: Block[] = []
  let blockMs = 0
  let isApart = false
  const take = async () => {
    const order = shuffled(names, random)
    try {
      return await takeBlock(sides, order, settings, isApart, abort)
    } catch (error) {
      if (isApart || blocks.length > 0 || abort.aborted || !(error instanceof UserError)) throw error
      // Services that share a port of their own cannot run at once.
      isApart = true
      return await takeBlock(sides, order, settings, isApart, abort)
    }
  }
  const wantsMore = () => {
    if (settings.blocks !== undefined) return blocks.length < settings.blocks
    if (blocks.length < 2) return true
    const isFound = isLook(2, blocks.length) && decide(blocks)?.verdict !== 'inconclusive'
    return !isFound && performance.now() - startedAtMs + blockMs <= settings.budgetMs
  }
  while (wantsMore()) {
    const beganAtMs = performance.now()
    blocks.push(await takeValid(take, tell))
    if (isApart && blocks.length === 1)
      tell('Both sides cannot run at once, so each is measured when the other has ended, which takes longer.')
    blockMs = performance.now() - beganAtMs
    if (!settings.anyBody && blocks.length >= FIRST_BODY_CHECK) compareBodies(blocks)
    tell(`block ${blocks.length}${settings.blocks ? ` of ${settings.blocks}` : ''}: ${describe(blocks)}`)
  }
  return blocks
}

async function takeValid(take: () => Promise<Block>, tell: (line: string) => void): Promise<Block> {
  for (let repetition = 0; ; repetition++) {
    const block = await take()
    const name = names.find(each => block[each].reason !== null)
    if (!name) return block
    const reason = `${name}: ${block[name].reason}`
    if (repetition === MAX_REPETITIONS) throw new UserError(reason)
    tell(`a block is measured again: ${reason}`)
  }
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
