import assert from 'node:assert/strict'
import type { AnswerValues } from '../../app/answers/order-answers.ts'
import { createSerialization as createCompiled } from '../../app/concerns/serialization/compiled.ts'
import type { Serialization } from '../../app/concerns/serialization/contract.ts'
import { createSerialization as createNative } from '../../app/concerns/serialization/native.ts'
import {
  answerMessages,
  createSerialization as createProtobuf,
} from '../../app/concerns/serialization/protobuf.ts'
import { selectOrders } from '../../orders/catalogue.ts'
import { encodeOrders } from '../../orders/encoded.ts'
import { mediaTypes, type Payload, payloads } from '../../orders/order.ts'
import { peers } from '../peers/index.ts'
import type { Case } from './sample-thread.ts'

export const operationNames = ['decode', 'encode'] as const
export type Operation = (typeof operationNames)[number]

interface Measured {
  create(): Serialization | Promise<Serialization>
  readonly does: readonly Operation[]
  /** Whether it needs the packages of the peers. It is measured with one load only. */
  readonly isPeer?: boolean
}

const { ajv, msgpackr, typebox, 'protobuf-es': protobufEs } = peers.serialization
const create = async (load: (typeof peers.serialization)[keyof typeof peers.serialization]) =>
  (await load()).createSerialization()

/** Those of the app, then those of the peers. No library of compiled JSON decodes correctly. */
const codecs = {
  JSON: { create: createNative, does: operationNames },
  'compiled JSON': { create: createCompiled, does: ['encode'] },
  Protobuf: { create: createProtobuf, does: operationNames },
  'protobuf-es': { create: () => create(protobufEs), does: operationNames, isPeer: true },
  msgpackr: { create: () => create(msgpackr), does: operationNames, isPeer: true },
  ajv: { create: () => create(ajv), does: ['decode'], isPeer: true },
  typebox: { create: () => create(typebox), does: ['decode'], isPeer: true },
} as const satisfies Record<string, Measured>

export type Codec = keyof typeof codecs
export const codecNames = Object.keys(codecs) as Codec[]

const typeOf = (codec: Codec): string => {
  if (codec === 'msgpackr') return 'application/x-msgpack'
  return codec === 'Protobuf' || codec === 'protobuf-es' ? mediaTypes.protobuf : mediaTypes.json
}

const counts = [1, 15, 200] as const
/** They are used in turn, so that no two successive calls work on the same orders. */
const VARIANTS = 16

export interface Load {
  readonly operation: Operation
  readonly payload: Payload
  readonly count: number
}

export const loads: readonly Load[] = operationNames.flatMap(operation =>
  payloads.flatMap(payload => counts.map(count => ({ operation, payload, count }))),
)

/** The load of the peers: the orders of `/demo`. */
export const peerLoad = { payload: 'mixed', count: 15 } as const

export const caseName = ({ operation, payload, count }: Load, codec: Codec) =>
  `${operation} ${count} ${payload} ${codec}`

const isMeasured = (codec: Codec, { operation, payload, count }: Load): boolean => {
  const { does, isPeer }: Measured = codecs[codec]
  return does.includes(operation) && (!isPeer || (payload === peerLoad.payload && count === peerLoad.count))
}

/** The measured cases: from bytes to orders, or from orders to bytes, as the app does it. */
export const cases: Readonly<Record<string, Case>> = Object.fromEntries(
  loads.flatMap(load =>
    codecNames
      .filter(codec => isMeasured(codec, load))
      .map(codec => [caseName(load, codec), () => operations[load.operation](load, codec)]),
  ),
)

const operations: Readonly<Record<Operation, (load: Load, codec: Codec) => Promise<() => number>>> = {
  async decode({ payload, count }, codec) {
    const serialization = await codecs[codec].create()
    const inputs = await Promise.all(variants(seed => encodeInput(codec, count, payload, seed)))
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

  async encode({ payload, count }, codec) {
    const encode = encoderOf(await codecs[codec].create(), codec)
    const answers = variants(seed => ({ seed, payload, orders: selectOrders(count, payload, seed) }))
    for (const answer of answers) assert.deepEqual(await decodeAnswer(encode(answer), codec), answer)
    return inTurn(answers, answer => encode(answer).length)
  },
}

/** Encodes orders as the upstream does, or as one would that speaks MessagePack. */
async function encodeInput(codec: Codec, count: number, payload: Payload, seed: number): Promise<Uint8Array> {
  if (codec === 'msgpackr')
    return (await msgpackr()).packr.pack({ orders: selectOrders(count, payload, seed) })
  return encodeOrders[typeOf(codec) === mediaTypes.protobuf ? 'protobuf' : 'json'](count, payload, seed)
}

/** An encoder to bytes. JSON is encoded to a string first, which must become bytes before it is sent. */
function encoderOf(serialization: Serialization, codec: Codec) {
  const accept = typeOf(codec)
  return (answer: AnswerValues['OrdersAnswer']): Buffer => {
    const { body } = serialization.encode('OrdersAnswer', answer, accept)
    return typeof body === 'string' ? Buffer.from(body) : body
  }
}

async function decodeAnswer(bytes: Buffer, codec: Codec): Promise<unknown> {
  if (codec === 'msgpackr') return (await msgpackr()).packr.unpack(bytes)
  if (typeOf(codec) === mediaTypes.json) return JSON.parse(bytes.toString())
  const { OrdersAnswer } = answerMessages
  return OrdersAnswer.toObject(OrdersAnswer.decode(bytes), { defaults: true })
}

const variants = <T>(make: (seed: number) => T): T[] =>
  Array.from({ length: VARIANTS }, (_, seed) => make(seed))

function inTurn<T>(inputs: readonly T[], work: (input: T) => number): () => number {
  let next = 0
  return () => work(inputs[next++ % inputs.length] as T)
}
