import { onStopRequested } from '../../lib/cli/command.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { seededRandom, shuffled } from '../../lib/random.ts'

export interface Taken {
  readonly round: number
  readonly valid: boolean
}

export interface RunState {
  readonly blocks: number
  readonly spentMs: number
  /** Duration of a block; 0 before the first. */
  readonly blockMs: number
  /** With the start and the end of what it measures; 0 before the first. */
  readonly sampleMs: number
}

export interface Telling<Row, Sample, Results> {
  plan(results: Results): void
  started(row: Row, block: number): void
  finished(row: Row, sample: Sample): void
  /** @param found what the samples so far have found, in a few words */
  finishedBlock(block: number, found: string): void
}

type Samples<Row, Sample> = ReadonlyMap<Row, Sample[]>

/** What is measured, and the results that samples give. */
export interface Measuring<Row, Sample extends Taken, Results> {
  readonly rows: readonly Row[]
  readonly seed: number
  /** Of `performance.now()`; now when absent. */
  readonly startedAtMs?: number | undefined
  /** The rows of the next block; none at the end. */
  next(state: RunState, samples: Samples<Row, Sample>): readonly Row[]
  take(row: Row, block: number): Promise<Sample>
  /** In place of `take`, if several rows are measured at once. */
  readonly takeTogether?:
    | ((rows: readonly Row[], block: number) => Promise<ReadonlyMap<Row, Sample>>)
    | undefined
  /** In a few words. */
  found?(samples: Samples<Row, Sample>): string
  /** Whether results are saved after each block, and not after each sample. */
  readonly savesBlocks?: boolean | undefined
  results(
    samples: Samples<Row, Sample>,
    state: { readonly blocks: number; readonly partial: boolean },
  ): Results
  save(results: Results): void
  readonly progress: Telling<Row, Sample, Results>
  /** Called before the first block. @param save saves what is known so far */
  begin?(save: () => void): Promise<void>
  /** Called after the last block, and after an interruption: what it adds to the samples is saved. */
  end?(samples: Samples<Row, Sample>): Promise<void>
}

/** A refused sample is taken again at most this often. */
export const MAX_REPETITIONS = 3

function isOpen(samples: readonly Taken[], block: number): boolean {
  const taken = samples.filter(({ round }) => round === block)
  return taken.length <= MAX_REPETITIONS && !taken.some(({ valid }) => valid)
}

/**
 * Takes a sample of every row in each block, in an order drawn for the block. A refused sample is taken again at the end of the
 * block: its disturbance may be over by then.
 * @returns the results so far when `abort` is aborted
 * @throws Error when a sample cannot be taken; UserError when it is aborted before there is a sample
 */
export async function measure<Row, Sample extends Taken, Results>(
  measuring: Measuring<Row, Sample, Results>,
  abort: AbortSignal,
): Promise<Results> {
  const { rows, seed, savesBlocks, takeTogether, progress } = measuring
  const samples = new Map(rows.map((row): [Row, Sample[]] => [row, []]))
  const openOf = (some: readonly Row[], block: number) =>
    some.filter(row => isOpen(samples.get(row) as Sample[], block))
  const startedAtMs = measuring.startedAtMs ?? performance.now()
  let block = 0
  let blocksFromMs = performance.now()
  let sampleMs = 0
  const state = (): RunState => {
    const nowMs = performance.now()
    const blockMs = block === 0 ? 0 : (nowMs - blocksFromMs) / block
    return { blocks: block, spentMs: nowMs - startedAtMs, blockMs, sampleMs }
  }
  let isSaved = false
  const resultsOf = (partial: boolean) => measuring.results(samples, { blocks: block, partial })
  const save = (partial: boolean): Results => {
    const results = resultsOf(partial)
    measuring.save(results)
    isSaved = true
    return results
  }
  const keepSample = (row: Row, sample: Sample) => {
    samples.get(row)?.push(sample)
    if (!savesBlocks) save(true)
    progress.finished(row, sample)
  }
  const takeAll = async (open: readonly Row[]) => {
    abort.throwIfAborted()
    if (takeTogether) for (const [row, sample] of await takeTogether(open, block)) keepSample(row, sample)
    else
      for (const row of open) {
        abort.throwIfAborted()
        progress.started(row, block)
        keepSample(row, await measuring.take(row, block))
      }
  }
  const takeBlock = async (chosen: readonly Row[]) => {
    const beganAtMs = performance.now()
    let taken = 0
    const inOrder = shuffled(chosen, seededRandom(seed * 1000 + block))
    for (let open = openOf(inOrder, block); open.length > 0; open = openOf(open, block)) {
      await takeAll(open)
      taken += open.length
    }
    sampleMs = (performance.now() - beganAtMs) / taken
    if (savesBlocks) save(true)
    progress.finishedBlock(block, measuring.found?.(samples) ?? 'done')
  }
  progress.plan(resultsOf(true))
  try {
    await measuring.begin?.(() => save(true))
    blocksFromMs = performance.now()
    for (let chosen = measuring.next(state(), samples); chosen.length > 0; ) {
      block++
      await takeBlock(chosen)
      chosen = measuring.next(state(), samples)
    }
  } catch (error) {
    if (!abort.aborted) throw error
  }
  await measuring.end?.(samples)
  if (abort.aborted && !isSaved && [...samples.values()].every(({ length }) => length === 0))
    throw new UserError(`${(abort.reason as Error).message} before a sample was taken`)
  return save(abort.aborted)
}

/** A signal that is aborted when the command should stop, so that it can end its processes in order. */
export function abortWhenAsked(): AbortSignal {
  const controller = new AbortController()
  onStopRequested(() => controller.abort(new UserError('interrupted')))
  return controller.signal
}
