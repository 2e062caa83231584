import { mediaTypes } from '../../../orders/order.ts'
import { answerSchemas } from '../../answers/answer-schemas.ts'
import type { AnswerName } from '../../answers/order-answers.ts'
import type { DescribedAnswer } from './describe-answer.ts'

/** The answer is Protobuf only if the implementation of serialization supports it and the client accepts it. */
export const describeOrders = (name: AnswerName, summary: string): DescribedAnswer => ({
  summary,
  content: { 'application/json': answerSchemas[name], [mediaTypes.protobuf]: {} },
})
