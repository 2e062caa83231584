import assert from 'node:assert/strict'
import type { AnswerValues } from '../../app/answers/order-answers.ts'
import { createSerialization as createCompiled } from '../../app/concerns/serialization/compiled.ts'
import type { Serialization } from '../../app/concerns/serialization/contract.ts'
import { answerMessages } from '../../app/concerns/serialization/messages.ts'
import { createSerialization as createNative } from '../../app/concerns/serialization/native.ts'
import { createSerialization as createProtobuf } from '../../app/concerns/serialization/protobuf.ts'
import { selectOrders } from '../../orders/catalogue.ts'
import { encodeJson, encodeProtobuf } from '../../orders/encoded.ts'
import { mediaTypes, type Payload, payloads } from '../../orders/order.ts'
import type { Case } from './sample-thread.ts'

/**
 * The serializations of the app, with the operations that they are measured for: no library of compiled JSON decodes
 * correctly.
 */
const codecs = {
  JSON: { create: createNative, does: ['decode', 'encode'] },
  'compiled JSON': { create: createCompiled, does: ['encode'] },
  Protobuf: { create: createProtobuf, does: ['decode', 'encode'] },
} as const

export type Codec = keyof typeof codecs
export type Operation = 'decode' | 'encode'

const counts = [1, 15, 200] as const
/** Number of different inputs. They are used in turn, so that no two successive calls work on the same orders. */
const VARIANTS = 16

/** The orders that are decoded or encoded. */
interface Load {
  readonly operation: Operation
  readonly payload: Payload
  /** Number of orders. */
  readonly count: number
}

export const loads: readonly Load[] = (['decode', 'encode'] as const).flatMap(operation =>
  payloads.flatMap(payload => counts.map(count => ({ operation, payload, count }))),
)

export const caseName = ({ operation, payload, count }: Load, codec: Codec) =>
  `${operation} ${count} ${payload} ${codec}`

/** The measured cases: from bytes to orders, or from orders to bytes, as the app does it. */
export const cases: Readonly<Record<string, Case>> = Object.fromEntries(
  loads.flatMap(load =>
    (Object.keys(codecs) as Codec[])
      .filter(codec => (codecs[codec].does as readonly Operation[]).includes(load.operation))
      .map(codec => [caseName(load, codec), () => operations[load.operation](load, codec)]),
  ),
)

const operations: Readonly<Record<Operation, (load: Load, codec: Codec) => () => number>> = {
  decode({ payload, count }, codec) {
    const serialization = codecs[codec].create()
    const encode = serialization.upstreamType === mediaTypes.json ? encodeJson : encodeProtobuf
    const inputs = variants(seed => encode(count, payload, seed))
    const compiled = createCompiled()
    for (const [seed, input] of inputs.entries()) {
      const orders = serialization.decodeOrders(input)
      const expected = { seed, payload, orders: selectOrders(count, payload, seed) }
      // A decoded message has fields in its prototype, which only compiled JSON reads.
      const { body } = compiled.encode('OrdersAnswer', { ...expected, orders }, undefined)
      assert.equal(body, JSON.stringify(expected))
    }
    return inTurn(inputs, input => serialization.decodeOrders(input).at(-1)?.id ?? 0)
  },

  encode({ payload, count }, codec) {
    const encode = encoderOf(codecs[codec].create(), codec)
    const answers = variants(seed => ({ seed, payload, orders: selectOrders(count, payload, seed) }))
    for (const answer of answers) assert.deepEqual(decodeAnswer(encode(answer), codec), answer)
    return inTurn(answers, answer => encode(answer).length)
  },
}

/** An encoder to bytes. JSON is encoded to a string first, which must become bytes before it is sent. */
function encoderOf(serialization: Serialization, codec: Codec) {
  const accept = codec === 'Protobuf' ? mediaTypes.protobuf : mediaTypes.json
  return (answer: AnswerValues['OrdersAnswer']): Buffer => {
    const { body } = serialization.encode('OrdersAnswer', answer, accept)
    return typeof body === 'string' ? Buffer.from(body) : body
  }
}

function decodeAnswer(bytes: Buffer, codec: Codec): unknown {
  if (codec !== 'Protobuf') return JSON.parse(bytes.toString())
  const { OrdersAnswer } = answerMessages
  return OrdersAnswer.toObject(OrdersAnswer.decode(bytes), { defaults: true })
}

const variants = <T>(make: (seed: number) => T): T[] =>
  Array.from({ length: VARIANTS }, (_, seed) => make(seed))

function inTurn<T>(inputs: readonly T[], work: (input: T) => number): () => number {
  let next = 0
  return () => work(inputs[next++ % inputs.length] as T)
}
