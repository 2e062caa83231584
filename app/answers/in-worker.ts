import type { AnswerMaker } from '../../workers/answers.ts'
import { createSerialization } from '../concerns/serialization/compiled.ts'
import { type AnswerQuery, beginAnswer } from './build.ts'
import { orderAnswers } from './order-answers.ts'

/** The query of an answer, and its data from upstream, still encoded. */
type Input = AnswerQuery & { readonly data: Uint8Array }

/** The threads or processes that run tasks load this file if they also make the answers, of data that they are sent. */
export function createMaker(): AnswerMaker {
  const serialization = createSerialization()
  return {
    tasksOf: input => orderAnswers[(input as Input).name].tasks((input as Input).query),
    begin: input => beginAnswer(serialization, input as Input, (input as Input).data),
  }
}
