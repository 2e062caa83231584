import type { BeginAnswer } from '../../../workers/protocol.ts'
import { beginAnswer as begin } from './build-answer.ts'
import { createSerialization } from './compiled.ts'
import type { AnswerInput } from './contract.ts'

const serialization = createSerialization()

/** Loaded by the threads or processes that run tasks, where those make the answers too. */
export const beginAnswer: BeginAnswer = input => begin(serialization, input as AnswerInput)
