import { taskTable } from '../../workers/tasks.ts'
import { otherSchemas } from '../server/additions.ts'
import type { AnswerName, AnswerValues } from './order-answers.ts'

const integer = { type: 'integer' } as const
const orders = { type: 'array', items: { $ref: 'orders#/definitions/Order' } } as const

/** JSON Schemas of the answers that contain orders. */
export const answerSchemas: {
  readonly [Name in AnswerName]: {
    readonly type: 'object'
    readonly properties: Readonly<Record<keyof AnswerValues[Name], object>>
  }
} = {
  DemoAnswer: {
    type: 'object',
    properties: { seed: integer, tasks: { type: 'array', items: taskTable.subsetSum.output }, orders },
  },
  ...otherSchemas({ orders }),
}
