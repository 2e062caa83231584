import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Concern } from '../../app/concerns.ts'
import { type Counts, type Signal, type SignalCounts, signals } from '../../lib/processes/protocol.ts'

/** Counts from the start of a stack to its end. */
export type Ledger = Readonly<Record<Signal, SignalCounts>>

export const LOG_FILE = 'app.log'
const NEWLINE = 10

/** A row by the names of its implementations. */
interface ComposedRow {
  readonly composition: Readonly<Record<Concern, string>>
  readonly app?: { readonly overload?: string }
}

/** Completes the counts of a stopped stack with the number of log lines in the files of `directory`. */
export async function readLedger(counts: Counts, directory: string): Promise<Ledger> {
  const files = (await readdir(directory)).filter(name => name.startsWith(LOG_FILE))
  const lines = await Promise.all(files.map(name => countLines(join(directory, name))))
  const delivered = lines.reduce((total, each) => total + each, 0)
  return { ...counts, logLines: { ...counts.logLines, delivered } } as Ledger
}

/**
 * Says why the ledger of a row does not close: the counts differ, or records were dropped or rejected, which they may be
 * in an overload on purpose. Null when it closes.
 */
export function findGap(ledger: Ledger, { composition, app }: ComposedRow): string | null {
  for (const signal of signals) {
    const { emitted, delivered, dropped, rejected } = ledger[signal]
    const counts = `${emitted} emitted, ${delivered} delivered, ${dropped} dropped, ${rejected} rejected`
    if (emitted !== delivered + dropped + rejected) return `the ledger of ${signal} is open: ${counts}`
    const mayDrop = app?.overload !== undefined || (signal === 'logLines' && composition.logging === 'none')
    if (dropped + rejected > 0 && !mayDrop) return `not all ${signal} were delivered: ${counts}`
  }
  return null
}

async function countLines(file: string): Promise<number> {
  let lines = 0
  for await (const chunk of createReadStream(file)) {
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++
  }
  return lines
}
