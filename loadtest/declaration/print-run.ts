import { describeNoisy, describeRefused, type Judged, NOISY_FIGURES } from '../outcome/noisy.ts'
import type { SavedRun } from '../outcome/saved-run.ts'
import type { Presentation } from './presentation.ts'
import { renderForTerminal } from './render-text.ts'

/**
 * Prints a run on stdout: all of it as JSON, or its tables and remarks, and last the answer in a few words.
 * @param verbose also prints details
 */
export function printRun<Run extends SavedRun>(
  run: Run,
  presentation: Presentation<Run>,
  { json, verbose = true }: { readonly json: boolean; readonly verbose?: boolean },
): void {
  const answer = { kind: 'remarks', sentences: [presentation.answer(run)] } as const
  const content = presentation.content(run).filter(({ isDetail }) => verbose || !isDetail)
  const text = json ? JSON.stringify(run, null, 2) : `\n${renderForTerminal([...content, answer])}`
  process.stdout.write(`${text}\n`)
}

/** Says on stderr which samples of a run were refused or are noisy, and why. */
export function warnOfNoise(samples: readonly Judged[], stream: NodeJS.WriteStream = process.stderr): void {
  const refused = describeRefused(samples)
  if (refused) stream.write(`warning: ${refused}\n`)
  const noisy = describeNoisy(samples)
  if (noisy) stream.write(`warning: these results are noisy. ${noisy}. ${NOISY_FIGURES}\n`)
}
