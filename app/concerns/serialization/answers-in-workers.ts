import type { BeginAnswer } from '../../../workers/protocol.ts'
import { createSerialization } from './compiled.ts'
import type { AnswerInput } from './contract.ts'
import { beginAnswer as begin } from './recipes.ts'

const serialization = createSerialization()

/** Loaded by the threads or processes that run tasks, where those make the answers too. */
export const beginAnswer: BeginAnswer = input => begin(serialization, input as AnswerInput)
