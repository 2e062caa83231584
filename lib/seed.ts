import { integer } from './cli/options.ts'

export const MAX_SEED = 2 ** 31 - 1

/** The query parameter from which an answer is drawn. */
export const seedParameter = integer({
  min: 0,
  max: MAX_SEED,
  default: '1',
  help: 'decides the content of the answer, and is echoed',
})
