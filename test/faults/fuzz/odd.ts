import { parentPort } from 'node:worker_threads'
import { Draw } from './draw.ts'
import { drawValue } from './odd-values.ts'

// Tasks, and below parts of pages, that throw and return whatever their seed says. React warns of odd children.
console.error = () => {}

/** Different in each thread. */
const thread = Math.random()
export const whichThread = (): number => thread

export const echo = (value: unknown): unknown => value

export const returnValue = (seed: number): unknown => drawValue(new Draw(seed))

export const throwValue = (seed: number): never => {
  throw drawValue(new Draw(seed))
}

export const rejectLater = async (seed: number): Promise<never> => throwValue(seed)

/** Posts a value to the main thread, as code does that takes this thread for its own. */
export const postValue = (seed: number): void => parentPort?.postMessage(drawValue(new Draw(seed)))

/** What can be awaited, and does what it should not: it throws, or settles twice. */
export const returnThenable = (seed: number): unknown => {
  const draw = new Draw(seed)
  const settle = (act: (value: unknown) => void) => act(drawValue(draw))
  return {
    // biome-ignore lint/suspicious/noThenProperty: that is what it is
    then(resolve: (value: unknown) => void, reject: (reason: unknown) => void) {
      for (const act of draw.times(2, () => draw.pick([resolve, reject]))) settle(act)
      if (draw.chance(0.5)) throw drawValue(draw)
      settle(resolve)
    },
  }
}

/** A part that throws, or is, whatever its seed says. */
export const Odd = ({ seed, throws }: { readonly seed: number; readonly throws: boolean }): never => {
  const value = drawValue(new Draw(seed))
  if (throws) throw value
  return value as never
}

export const Right = (): string => 'right'
