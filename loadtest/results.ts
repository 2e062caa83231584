import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from './environment.ts'
import type { Settings } from './options.ts'
import type { Row } from './rows.ts'
import type { Sample } from './sample.ts'

export interface Results {
  readonly schemaVersion: 1
  readonly environment: Environment
  readonly settings: Settings
  readonly steps: readonly RowResult[]
}

export interface RowResult extends Row {
  readonly samples: readonly Sample[]
  readonly goodput: Summary
  readonly mainThreadMicros: Summary
  readonly totalMicros: Summary
  /** Good responses a second that the main thread alone would allow: a model, see docs/architecture.md. */
  readonly ceiling: Summary
  /** Against the row above; null for the first. */
  readonly versusPrevious: Comparison | null
  readonly versusFirst: Comparison | null
}

/** Null when there is no valid sample. */
export interface Summary {
  readonly median: number | null
}

/** This row's value over the other's. */
export type Comparison = Readonly<
  Record<'mainThreadMicros' | 'goodput' | 'totalMicros', { readonly ratio: number | null }>
>

/** What the samples so far say of each row. Only valid samples count; none is left out of the list. */
export function summarize(rows: readonly Row[], samples: ReadonlyMap<Row, readonly Sample[]>): RowResult[] {
  const own = rows.map(row => ({
    ...row,
    samples: samples.get(row) ?? [],
    ...summarizeRow(samples.get(row) ?? []),
  }))
  return own.map((row, index) => ({
    ...row,
    versusPrevious: index === 0 ? null : compare(row, own[index - 1] as typeof row),
    versusFirst: index === 0 ? null : compare(row, own[0] as typeof row),
  }))
}

function summarizeRow(samples: readonly Sample[]) {
  const valid = samples.filter(sample => sample.valid)
  const of = (value: (sample: Sample) => number): Summary => ({ median: median(valid.map(value)) })
  return {
    goodput: of(sample => sample.goodput),
    mainThreadMicros: of(sample => sample.mainThreadMicros),
    totalMicros: of(sample => sample.totalMicros),
    ceiling: of(sample => 1_000_000 / sample.mainThreadMicros),
  }
}

/** The middle value, or the mean of the two in the middle; null of nothing. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}

type Summarized = ReturnType<typeof summarizeRow>

function compare(row: Summarized, other: Summarized): Comparison {
  const ratio = (key: keyof Comparison) => {
    const [own, others] = [row[key].median, other[key].median]
    return { ratio: own === null || others === null ? null : own / others }
  }
  return {
    mainThreadMicros: ratio('mainThreadMicros'),
    goodput: ratio('goodput'),
    totalMicros: ratio('totalMicros'),
  }
}

const DIRECTORY = join(import.meta.dirname, 'results')

/** Writes the results to a file of their own and to `latest.json`, each whole or not at all. Answers the file. */
export function saveResults(results: Results): string {
  const file = join(DIRECTORY, `${results.environment.date.replaceAll(/[:.]/g, '-')}.json`)
  mkdirSync(DIRECTORY, { recursive: true })
  for (const path of [file, join(DIRECTORY, 'latest.json')]) {
    const part = `${path}.${process.pid}.part`
    writeFileSync(part, `${JSON.stringify(results, null, 2)}\n`)
    renameSync(part, path)
  }
  return file
}
