import { UserError } from '../../lib/cli/user-error.ts'
import { seededRandom, shuffled } from '../../lib/random.ts'
import { type Block, compareBodies } from './bodies.ts'
import type { Side, Sides } from './side.ts'
import { type Sample, type SampleSettings, takeSample } from './take-sample.ts'

/** A refused sample is taken again this often. */
const MAX_REPETITIONS = 3
/** A body that is new in every process shows as such from the second block on. */
const FIRST_BODY_CHECK = 2

export interface BlockSettings extends SampleSettings {
  readonly blocks: number
  readonly anyBody: boolean
}

/**
 * Measures both sides in fresh processes, once in each block, in random order.
 * @param tell called with a line about each block
 * @throws UserError when a side does not start, or its samples are refused again and again, or bodies differ
 */
export async function runBlocks(
  sides: Sides,
  settings: BlockSettings,
  abort: AbortSignal,
  tell: (line: string) => void,
): Promise<Block[]> {
  const random = seededRandom(1)
  const blocks: Block[] = []
  while (blocks.length < settings.blocks) {
    const samples: Partial<Record<keyof Sides, Sample>> = {}
    for (const side of shuffled<keyof Sides>(['before', 'after'], random)) {
      samples[side] = await takeValid(side, sides[side], settings, abort, tell)
    }
    blocks.push(samples as Block)
    if (!settings.anyBody && blocks.length >= FIRST_BODY_CHECK) compareBodies(blocks)
    tell(`block ${blocks.length} of ${settings.blocks}: ${describe(samples as Block)}`)
  }
  return blocks
}

async function takeValid(
  name: keyof Sides,
  side: Side,
  settings: BlockSettings,
  abort: AbortSignal,
  tell: (line: string) => void,
): Promise<Sample> {
  for (let repetition = 0; ; repetition++) {
    const sample = await takeSample(side, settings, abort)
    if (sample.reason === null) return sample
    if (repetition === MAX_REPETITIONS) throw new UserError(`${name}: ${sample.reason}`)
    tell(`${name} is measured again: ${sample.reason}`)
  }
}

const describe = ({ before, after }: Block) =>
  `before ${cost(before)}, after ${cost(after)} µs of CPU time for each response`

const cost = ({ mainThreadMicros, totalMicros }: Sample) =>
  (mainThreadMicros ?? totalMicros)?.toFixed(0) ?? 'unknown'
