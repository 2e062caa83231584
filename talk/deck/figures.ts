import { talk } from '../../loadtest/commands/cores/remarks.ts'
import type { Results } from '../../loadtest/outcome/results.ts'
import { type Html, html } from '../../loadtest/report/html.ts'
import { describeChange, sayAgainst } from '../../screen/words.ts'

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
