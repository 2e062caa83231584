import { readFileSync } from 'node:fs'

/** The gain of one of our own steps. */
export interface Gain {
  readonly step: string
  /** Main-thread cost after the step over the cost before. */
  readonly ratio: number
  readonly ci95: readonly [number, number]
  /** The command that measures it again. */
  readonly command: string
}

interface Published {
  readonly steps: readonly {
    readonly name: string
    readonly versusPrevious?: { readonly mainThreadMicros: { ratio: number; ci95: [number, number] } }
  }[]
}

const runs = {
  ladder: 'npm run loadtest',
  page: 'npm run loadtest -- --scenario page --steps 5-6',
} as const

/** Reads the gain of a step from a published run. The build puts the values in the place of this file. */
export function readGain(run: keyof typeof runs, step: string): Gain {
  const path = `${import.meta.dirname}/../../docs/results/${run}.json`
  const { steps }: Published = JSON.parse(readFileSync(path, 'utf8'))
  const versus = steps.find(({ name }) => name === step)?.versusPrevious?.mainThreadMicros
  if (!versus) throw new Error(`${path} has no gain of ${step}`)
  return { step, ratio: versus.ratio, ci95: versus.ci95, command: runs[run] }
}

export const gains = {
  compute: readGain('ladder', 'compute'),
  serialization: readGain('ladder', 'serialization'),
  framework: readGain('ladder', 'framework'),
  logging: readGain('ladder', 'logging'),
  apm: readGain('ladder', 'apm'),
  rendering: readGain('page', 'rendering'),
}
