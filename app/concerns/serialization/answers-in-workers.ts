import type { Answers } from '../../../workers/answers.ts'
import { beginAnswer } from './build-answer.ts'
import { createSerialization } from './compiled.ts'
import type { AnswerInput } from './contract.ts'

/** The threads or processes that run tasks load this file if they also make the answers. */
export function createAnswers(): Answers {
  const serialization = createSerialization()
  return { begin: input => beginAnswer(serialization, input as AnswerInput) }
}
