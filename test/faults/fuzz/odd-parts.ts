import { Draw } from './draw.ts'
import { drawValue } from './odd-values.ts'

// React warns of odd children.
console.error = () => {}

/** A part that throws, or is, whatever its seed says. */
export const Odd = ({ seed, throws }: { readonly seed: number; readonly throws: boolean }): never => {
  const value = drawValue(new Draw(seed))
  if (throws) throw value
  return value as never
}

export const Right = (): string => 'right'
