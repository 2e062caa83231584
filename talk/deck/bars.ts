import { type Html, html } from '../../loadtest/report/html.ts'
import { plainNames } from '../../screen/sentences.ts'
import type { StageStep } from '../../screen/stage-messages.ts'

/** What a letter and the margins of a label take of the widest bar. */
const LABEL = { letter: 0.0085, margins: 0.014 }

const totalOf = ({ spectrum }: StageStep) => spectrum.reduce((sum, { micros }) => sum + micros, 0)

const nameOf = (slice: string) => plainNames[slice] ?? slice

/** The name of a slice, if the slice is wide enough for it. */
const labelOf = (slice: string, share: number) =>
  nameOf(slice).length * LABEL.letter + LABEL.margins < share ? nameOf(slice) : ''

/** Draws where the main thread's time goes at steps, one bar a step, on one scale. */
export function drawSpectra(steps: readonly StageStep[]): Html {
  const most = Math.max(...steps.map(totalOf))
  const colors = new Map(
    steps.flatMap(({ spectrum }) => spectrum.map(({ slice, color }) => [slice, color] as const)),
  )
  return html`<dl class="spectra">${steps.map(
    step =>
      html`<dt>${`${step.number} ${step.name}`}</dt>
<dd>${step.spectrum.map(
        ({ slice, micros, color }) =>
          html`<span style="width:${((micros / most) * 100).toFixed(2)}%;background:${color}">${labelOf(slice, micros / most)}</span>`,
      )}</dd>`,
  )}</dl>
<p>By the published profile. A profiler costs time, too.</p>
<p class="legend">${[...colors].map(([slice, color]) => html`<span style="--slice:${color}">${nameOf(slice)}</span>`)}</p>`
}
