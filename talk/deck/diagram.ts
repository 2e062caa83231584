import { concernColors } from '../../app/concern-colors.ts'
import { type Composition, type Concern, concerns } from '../../app/concerns.ts'
import type { Step } from '../../app/steps.ts'
import { type Html, html } from '../../loadtest/report/html.ts'
import { plainNames } from '../../screen/sentences.ts'

type Place = 'main thread' | 'worker threads' | 'render threads' | 'logger-transport' | 'apm-agent'

/** The thread or process that does the work of a concern. */
export function placeOf(concern: Concern, composition: Composition): Place {
  if (concern === 'compute') return composition.compute === 'inline' ? 'main thread' : 'worker threads'
  if (concern === 'rendering') return composition.rendering === 'threads' ? 'render threads' : 'main thread'
  if (concern === 'logging') return composition.logging === 'sidecar' ? 'logger-transport' : 'main thread'
  if (concern === 'apm') return composition.apm === 'sidecar' ? 'apm-agent' : 'main thread'
  // The worker that fetches the orders also decodes them and encodes the answer.
  if (concern === 'upstream' || concern === 'serialization')
    return composition.upstream === 'threads' ? 'worker threads' : 'main thread'
  return 'main thread'
}

/** Draws the processes of a step, with its concerns where they run; what has changed since the step before is marked. */
export function drawProcesses({ composition }: Step, before: Step | undefined): Html {
  const chipsAt = (place: Place) =>
    concerns
      .filter(concern => placeOf(concern, composition) === place)
      .map(concern => drawChip(concern, before?.composition[concern] !== composition[concern] && !!before))
  const lane = (place: Place) =>
    html`<div class="lane"><h4>${place}</h4><div class="chips">${chipsAt(place)}</div></div>`
  const process = (place: Place) =>
    composition[place === 'apm-agent' ? 'apm' : 'logging'] === 'sidecar'
      ? html`<div class="process"><h3>${place}</h3><div class="chips">${chipsAt(place)}</div></div>`
      : null
  return html`<div class="processes">
<div class="outside">clients</div>
<div class="process app"><h3>app</h3>${lane('main thread')}${composition.compute === 'inline' ? null : lane('worker threads')}${composition.rendering === 'threads' ? lane('render threads') : null}</div>
<div class="sidecars"><div class="outside">orders</div>${process('logger-transport')}${process('apm-agent')}</div>
</div>`
}

const drawChip = (concern: Concern, isMoved: boolean): Html => {
  const { fill, ink } = concernColors[concern]
  return html`<span class="${isMoved ? 'chip moved' : 'chip'}" style="background:${fill};color:${ink}">${plainNames[concern] ?? concern}</span>`
}
