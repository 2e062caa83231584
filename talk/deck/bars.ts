import { type Html, html } from '../../loadtest/report/html.ts'
import type { StageStep } from '../stage/protocol.ts'
import { plainNames } from '../stage/sentences.ts'

/** A slice with a smaller share of the widest bar has no label. */
const LEAST_LABEL = 0.085

const totalOf = ({ spectrum }: StageStep) => spectrum.reduce((sum, { micros }) => sum + micros, 0)

/** Draws where the main thread's time goes at steps, one bar a step, on one scale. */
export function drawSpectra(steps: readonly StageStep[]): Html {
  const most = Math.max(...steps.map(totalOf))
  const colors = new Map(
    steps.flatMap(({ spectrum }) => spectrum.map(({ slice, color }) => [slice, color] as const)),
  )
  return html`<dl class="spectra">${steps.map(
    step =>
      html`<dt>${`${step.number} ${step.name}`} <b>${totalOf(step).toLocaleString('en')} µs</b></dt>
<dd>${step.spectrum.map(
        ({ slice, micros, color }) =>
          html`<span style="width:${((micros / most) * 100).toFixed(2)}%;background:${color}">${micros / most < LEAST_LABEL ? '' : (plainNames[slice] ?? slice)}</span>`,
      )}</dd>`,
  )}</dl>
<p class="legend">${[...colors].map(([slice, color]) => html`<span style="--slice:${color}">${plainNames[slice] ?? slice}</span>`)}</p>`
}
