import type { BeginAnswer } from '../../../workers/protocol.ts'
import { beginAnswer as begin } from './build-answer.ts'
import { createSerialization } from './compiled.ts'
import type { AnswerInput } from './contract.ts'

const serialization = createSerialization()

/** The threads or processes that run tasks load this file if they also make the answers. */
export const beginAnswer: BeginAnswer = input => begin(serialization, input as AnswerInput)
