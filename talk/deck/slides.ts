import { type Step, steps } from '../../app/steps.ts'
import { type Html, html } from '../../loadtest/report/html.ts'
import { resultsOf } from '../../release/documents/runs.ts'
import { sayMove } from '../../screen/sentences.ts'
import type { StageStep } from '../../screen/stage-messages.ts'
import { describeSteps } from '../stage/setting.ts'
import { drawProcesses } from './diagram.ts'
import { chooseLines, renderDiff } from './diff.ts'
import { drawSpectra, renderFigures } from './figures.ts'
import { renderBlock, renderInline } from './markdown.ts'
import { type Length, type Part, paragraphOf, readScript } from './script.ts'

/** A slide with its speaker notes. */
export interface Slide {
  readonly part: string
  readonly title: string
  readonly content: Html
  readonly notes: Html
  readonly seconds: number
}

interface Sources {
  readonly length: Length
  /** The difference of the code of a step from the step before it. */
  diffOf(step: Step): string
  /** The address of the stage. */
  readonly stageUrl: string
}

/** Makes the slides of a talk of this length, of the script, the published runs and the code. */
export function makeSlides(sources: Sources): Slide[] {
  const parts = readScript().filter(({ minutes }) => minutes[sources.length] > 0)
  return parts.flatMap(part => {
    const step = steps.find(({ number }) => part.title.startsWith(`Step ${number}:`))
    const slides = step ? slidesOfStep(step, part, sources) : slidesOfPart(part)
    const seconds = (part.minutes[sources.length] * 60) / slides.length
    const notes = html`${part.blocks.map(renderBlock)}`
    return slides.map(slide => ({ ...slide, part: part.title, notes, seconds }))
  })
}

/** The question alone, without the command that answers it. */
const questionOf = (part: Part): string | undefined =>
  /^[^?]*\?/.exec(paragraphOf(part, 'Question') ?? '')?.[0].replaceAll(/\s+/g, ' ')

type Shown = Pick<Slide, 'title' | 'content'>
type Move = NonNullable<StageStep['move']>

function slidesOfStep(step: Step, part: Part, { diffOf, stageUrl }: Sources): Shown[] {
  const before = steps[step.number - 1]
  const shown = describeSteps()
  const spectra = [before?.number, step.number].flatMap(
    number => shown.find(each => each.number === number) ?? [],
  )
  const isFirst = before === undefined
  const scenario = step.name === 'rendering' ? 'page' : 'demo'
  return [
    { title: sayMove(shown[step.number] as StageStep), content: drawProcesses(step, before) },
    ...(isFirst
      ? []
      : [
          {
            title: `The code of step ${step.number}`,
            content: renderDiff(chooseLines(diffOf(step), shown[step.number]?.move as Move)),
          },
        ]),
    {
      title: isFirst ? 'Live' : `Live, at step ${step.number}`,
      content: html`<div class="stage" data-url="${stageUrl}"><p><code>npm run stage</code> starts what is shown here.</p></div><p class="quiet">npm run stage</p>`,
    },
    {
      title: questionOf(part) ?? part.title,
      content: html`${drawSpectra(spectra, scenario)}${isFirst ? null : renderFigures(step.number, resultsOf(scenario === 'page' ? 'page' : 'ladder'))}`,
    },
  ]
}

function slidesOfPart(part: Part): Shown[] {
  const said = paragraphOf(part, 'Say')
  const question = questionOf(part)
  return [
    {
      title: part.title,
      content: html`${said ? html`<p class="said">${renderInline(said)}</p>` : null}${question ? html`<p class="question">${question}</p>` : null}${part.title === 'What it was worth' ? drawSpectra(describeSteps(), 'demo') : null}`,
    },
  ]
}
