import type { Command } from '../../lib/cli/command.ts'
import { duration, toggle } from '../../lib/cli/options.ts'
import { describeCost, describeTurn } from '../output/sentences.ts'
import { percent } from '../output/tables.ts'
import { costOfWatching } from '../spectrum/report.ts'
import { byConcern, splitWindow, type ThreadSpectrum } from '../spectrum/spectrum.ts'
import { findLongestTurns, type Turn } from '../turns/longest-turns.ts'
import type { Usage } from '../watching/thread.ts'
import { abortOnStop, subjectOptions } from './subject.ts'
import { withWatched } from './watched.ts'

const options = {
  ...subjectOptions,
  everyMs: duration({ help: 'time between two lines', default: '5s', minMs: 500 }),
  forMs: duration({ help: 'stop after this time; without it, on Ctrl-C' }),
  json: toggle({ help: 'a line of JSON each time' }),
}

/** Time without a profiler before the first line, to know what watching costs. */
const UNWATCHED_MS = 2000
/** Concerns on a line. */
const MOST_CONCERNS = 5
/** A profile that missed more says so. */
const MOST_MISSED = 0.1

export const watch: Command<typeof options> = {
  usage: 'main-thread watch --attach PID [options]',
  description:
    'Prints a line every few seconds: how busy the main thread is, its CPU time by concern, and the longest turn of the event loop with the functions that held it.',
  options,
  takesWords: true,
  async run(values, words) {
    const abort = abortOnStop()
    const untilMs = performance.now() + (values.forMs ?? Number.POSITIVE_INFINITY)
    const watching = withWatched(values, words, { abort }, async ({ measure, profile, attribution }) => {
      // A service that has just started becomes faster by itself, so its cost would not be told right.
      let unwatched: Usage | undefined
      if (values.attach) unwatched = await measure(Math.min(values.everyMs, UNWATCHED_MS))
      while (performance.now() < untilMs) {
        const [main] = await profile(values.everyMs)
        if (unwatched) tellCost(costOfWatching([unwatched], main), main)
        unwatched = undefined
        const line = values.json ? lineOfJson : describe
        const [longest = null] = findLongestTurns(main.profile, attribution.findOwner.describe)
        process.stdout.write(`${line(splitWindow(main, attribution), longest)}\n`)
      }
    })
    // Ctrl-C is how it ends, or a reader that has seen enough.
    await watching.catch(error => {
      if (error !== abort.reason) throw error
    })
  },
}

function tellCost(cost: number | null, { requests, unit }: Usage): void {
  const sentence = describeCost(cost, requests, unit)
  if (sentence) process.stderr.write(`${sentence}\n`)
}

function describe(spectrum: ThreadSpectrum, turn: Turn | null): string {
  const concerns = byConcern(spectrum)
    .slice(0, MOST_CONCERNS)
    .map(({ concern, share, gcShare }) => `${concern} ${percent(share + gcShare)}`)
  const held = turn ? `longest turn ${describeTurn(turn)}` : 'no turn'
  const time = new Date().toISOString().slice(11, 19)
  const missed = spectrum.missedShare > MOST_MISSED ? `  missed ${percent(spectrum.missedShare)}` : ''
  return `${time}  busy ${percent(spectrum.busyShare)}${missed}  ${concerns.join(', ')}  ${held}`
}

const lineOfJson = (main: ThreadSpectrum, longestTurn: Turn | null) =>
  JSON.stringify({ schemaVersion: 1, at: new Date().toISOString(), main, longestTurn })
