import { sayMove } from '../../sentences.ts'
import { explainComparison } from '../../words.ts'
import { find, setText } from '../dom.ts'
import type { Model } from './model.ts'

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
