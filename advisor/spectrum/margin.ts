import { studentQuantile } from '../../loadtest/statistics/student.ts'

/**
 * Half the width of the 95 % interval of a share, by the jackknife over blocks of time (Efron and Tibshirani, An Introduction to the
 * Bootstrap, 1993, chapter 11). Samples that follow each other are alike, so single ones would tell too narrow an interval.
 * @param parts the time of the part in each block
 * @param all all time in each block
 * @returns null if all time is in one block
 */
export function marginOf(parts: readonly number[], all: readonly number[]): number | null {
  const [part, whole] = [sum(parts), sum(all)]
  const others = parts.map((each, block) => (part - each) / (whole - (all[block] as number)))
  if (!others.every(Number.isFinite)) return null
  const blocks = others.length
  const mean = sum(others) / blocks
  const variance = ((blocks - 1) / blocks) * sum(others.map(other => (other - mean) ** 2))
  return studentQuantile(0.95, blocks - 1) * Math.sqrt(variance)
}

const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0)
