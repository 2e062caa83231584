import { talk } from '../../loadtest/commands/cores/presentation.ts'
import type { Results } from '../../loadtest/outcome/results.ts'
import { type Html, html } from '../../loadtest/report/html.ts'
import { plainNames } from '../../screen/sentences.ts'
import type { Spectrum, StageStep } from '../../screen/stage-messages.ts'
import { describeChange, sayAgainst } from '../../screen/words.ts'

/** What a letter and the margins of a label take of the widest bar. */
const LABEL = { letter: 0.0085, margins: 0.014 }

const nameOf = (slice: string) => plainNames[slice] ?? slice

/** The name of a slice, if the slice is wide enough for it. */
const labelOf = (slice: string, share: number) =>
  nameOf(slice).length * LABEL.letter + LABEL.margins < share ? nameOf(slice) : ''

/**
 * Draws where the main thread's time goes at steps, one bar a step. A bar is as long as what a request costs by the ladder,
 * on one scale; a profile gives the shares only, because a profiler costs time, too.
 */
export function drawSpectra(steps: readonly StageStep[], scenario: 'demo' | 'page'): Html {
  const shown = steps.map(step => ({ step, spectrum: step.spectra[scenario] as Spectrum | undefined }))
  const most = Math.max(...shown.map(({ spectrum }) => spectrum?.costMicros ?? 0))
  const colors = new Map(
    shown.flatMap(({ spectrum }) =>
      (spectrum?.slices ?? []).map(({ slice, color }) => [slice, color] as const),
    ),
  )
  return html`<dl class="spectra">${shown.map(
    ({ step, spectrum }) =>
      html`<dt>${`${step.number} ${step.name}${spectrum ? `, ${Math.round(spectrum.costMicros).toLocaleString('en')} µs` : ''}`}</dt>
<dd>${(spectrum?.slices ?? []).map(({ slice, share, color }) => {
        const width = (share * (spectrum?.costMicros ?? 0)) / most
        return html`<span style="width:${(width * 100).toFixed(2)}%;background:${color}"><b>${labelOf(slice, width)}</b></span>`
      })}</dd>`,
  )}</dl>
<p>What a /${scenario} costs by the published run, in parts by its profile.</p>
<p class="legend">${[...colors].map(([slice, color]) => html`<span style="--slice:${color}">${nameOf(slice)}</span>`)}</p>`
}

/** Stands wherever the talk's own figures after its first step do. */
const CLAIM = 'Claimed: a bug of its pools let one result answer two requests.'

/** The talk's gain at a step beside that of the published run. */
export function renderFigures(number: number, { steps }: Pick<Results, 'steps'>): Html {
  const [before, now] = [talk[number - 1], talk[number]]
  const row = steps.find(each => each.number === number)
  const ratio = row?.versusPrevious?.mainThreadMicros
  const said = ratio && describeChange(ratio)
  return html`<div class="figures">
<div><h3>Then, 2018</h3>${
    now === undefined
      ? html`<p class="large">–</p><p>the talk has no figure here</p>`
      : html`<p class="large">${now.toLocaleString('en')}/s</p><p>${before === undefined ? 'requests a second' : `from ${before}: ${(now / before).toFixed(2)} × as many. ${CLAIM}`}</p>`
  }</div>
<div><h3>Now, main thread</h3><p class="large">${row?.mainThreadMicros.median?.toFixed(0) ?? '–'} µs</p><p class="${said?.verdict ?? 'none'}">${said ? sayAgainst(said, number - 1) : 'a request'}</p></div>
</div>`
}
