import { sayMove } from '../../sentences.ts'
import type { StageCommand, StageStep } from '../../stage-messages.ts'
import { describeComparison, explainComparison } from '../../words.ts'
import { find, make, setText } from '../dom.ts'
import type { Model } from './model.ts'

/** The steps, each a button with the verdict on it. @returns a function that shows the present state */
export function createLadder(send: (command: StageCommand) => void): (model: Model) => void {
  const list = find('#ladder')
  let rungs: ReturnType<typeof createRung>[] = []
  let shown: readonly StageStep[] = []
  return model => {
    if (model.steps !== shown) {
      shown = model.steps
      rungs = shown.map(step => createRung(step, () => send({ kind: 'go', step: step.number })))
      list.replaceChildren(...rungs.map(({ element }) => element))
    }
    for (const rung of rungs) rung.show(model)
  }
}

function createRung({ number, name, move }: StageStep, onClick: () => void) {
  const verdict = make('span', 'verdict')
  const button = make('button', 'rung', make('b', '', `${number} `, name), verdict)
  button.title = move ? `${move.from} → ${move.to}` : 'all on one thread'
  button.setAttribute('type', 'button')
  button.addEventListener('click', onClick)
  const element = make('li', '', button)
  return {
    element,
    show(model: Model): void {
      const comparison = model.comparisonOf(number)
      const said = describeComparison(comparison, move ? number - 1 : undefined)
      const isNow = model.state?.step === number
      if (isNow) button.ariaCurrent = 'step'
      else button.removeAttribute('aria-current')
      element.dataset.is = model.state?.next === number ? 'next' : isNow ? 'now' : 'other'
      verdict.dataset.verdict = said.verdict
      setText(verdict, model.state?.next === number ? 'starting …' : said.text)
    },
  }
}

/** The sentence on what has moved, and that on what it brought. @returns a function that shows those of the present step */
export function createStory(): (model: Model) => void {
  const outcome = find('#outcome')
  return model => {
    const { step } = model
    setText(find('#moved'), step ? sayMove(step) : '')
    const said = explainComparison(model.comparisonOf(step?.number), step?.move ? step.number - 1 : undefined)
    outcome.dataset.verdict = said.verdict
    setText(outcome, said.text)
  }
}
