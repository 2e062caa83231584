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

interface Versus {
  readonly mainThreadMicros: { readonly ratio: number; readonly ci95: readonly [number, number] }
}

interface Published {
  readonly steps: readonly {
    readonly name: string
    readonly versusPrevious?: Versus
    readonly versusFirst?: Versus
  }[]
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
  const { ratio, ci95 } = rowOf(run, step, RESULTS)?.versusPrevious?.mainThreadMicros ?? {}
  if (!ratio || !ci95) throw new Error(`the published run ${run} has no gain of ${step}`)
  return { step, ratio, ci95, command: runs[run] }
}

/** Reads what a request costs with a peer over what it costs with our package; undefined if no published run has both. */
export function readPeer(
  run: 'peersCompute' | 'peersLogging',
  peer: string,
  results = RESULTS,
): Measured | undefined {
  const { ratio, ci95 } = rowOf(run, peer, results)?.versusFirst?.mainThreadMicros ?? {}
  return ratio && ci95 ? { ratio, ci95, command: runs[run] } : undefined
}

function rowOf(run: keyof typeof runs, name: string, results: string) {
  const path = `${results}/${run}.json`
  if (!existsSync(path)) return undefined
  const { steps }: Published = JSON.parse(readFileSync(path, 'utf8'))
  return steps.find(step => step.name === name)
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
