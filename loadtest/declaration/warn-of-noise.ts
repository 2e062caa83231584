import { describeNoisy, describeRefused, type Judged, NOISY_FIGURES } from '../outcome/noisy.ts'

/** Says on stderr which samples of a run were refused or are noisy, and why. */
export function warnOfNoise(samples: readonly Judged[], stream: NodeJS.WriteStream = process.stderr): void {
  const refused = describeRefused(samples)
  if (refused) stream.write(`warning: ${refused}\n`)
  const noisy = describeNoisy(samples)
  if (noisy) stream.write(`warning: these results are noisy. ${noisy}. ${NOISY_FIGURES}\n`)
}
