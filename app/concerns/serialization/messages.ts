import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import protobuf from 'protobufjs'
import { OrderList } from '../../../orders/messages.ts'
import { forEachAnswer } from '../../answers/order-answers.ts'

const { root } = protobuf.parse(
  readFileSync(join(import.meta.dirname, 'answers.proto'), 'utf8'),
  OrderList.root,
)

/** The message types of answers.proto. */
export const answerMessages = forEachAnswer(name => root.lookupType(name))
