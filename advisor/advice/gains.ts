import { existsSync, readFileSync } from 'node:fs'

/** A ratio of main-thread costs in a published run, and the command that measures it again. */
export interface Measured {
  readonly ratio: number
  readonly ci95: readonly [number, number]
  readonly command: string
}

/** The gain of one of our own steps: the cost after the step over the cost before. */
export interface Gain extends Measured {
  readonly step: string
}

/** The gain of a step is over the step before, the cost of a peer over ours, which is the first. */
type Against = 'versusPrevious' | 'versusFirst'
interface Published {
  readonly steps: readonly ({ readonly name: string } & {
    readonly [Key in Against]?: { readonly mainThreadMicros: Omit<Measured, 'command'> }
  })[]
}

const runs = {
  ladder: 'npm run loadtest',
  page: 'npm run loadtest -- --scenario page --steps 5-6',
  peersCompute: 'npm run loadtest -- peers',
  peersLogging: 'npm run loadtest -- peers --concern logging',
} as const

const RESULTS = `${import.meta.dirname}/../../docs/results`

/** Reads the gain of a step from a published run. */
export function readGain(run: 'ladder' | 'page', step: string): Gain {
  const found = readRatio(run, step, 'versusPrevious', RESULTS)
  if (!found) throw new Error(`the published run ${run} has no gain of ${step}`)
  return { step, ...found }
}

/** Reads what a request costs with a peer over what it costs with our package; undefined if no published run has both. */
export const readPeer = (run: 'peersCompute' | 'peersLogging', peer: string, results = RESULTS) =>
  readRatio(run, peer, 'versusFirst', results)

function readRatio(
  run: keyof typeof runs,
  name: string,
  against: Against,
  results: string,
): Measured | undefined {
  const path = `${results}/${run}.json`
  if (!existsSync(path)) return undefined
  const { steps }: Published = JSON.parse(readFileSync(path, 'utf8'))
  const { ratio, ci95 } = steps.find(step => step.name === name)?.[against]?.mainThreadMicros ?? {}
  return ratio && ci95 ? { ratio, ci95, command: runs[run] } : undefined
}

// The build of the package puts the values in the place of this file.
export const gains = {
  compute: readGain('ladder', 'compute'),
  serialization: readGain('ladder', 'serialization'),
  framework: readGain('ladder', 'framework'),
  logging: readGain('ladder', 'logging'),
  apm: readGain('ladder', 'apm'),
  rendering: readGain('page', 'rendering'),
}

/** The packages that people know, by the names that they have in runs of `peers`. */
export const peers = {
  piscina: readPeer('peersCompute', 'piscina'),
  'pino-transport': readPeer('peersLogging', 'pino-transport'),
}
