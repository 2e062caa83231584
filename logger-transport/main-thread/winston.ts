import winston from 'winston'
import type { SegmentsOptions } from './index.ts'
import createLineStream from './pino.ts'

const { combine, json, timestamp } = winston.format
const toJson = combine(timestamp(), json())
const MESSAGE = Symbol.for('message')

/** Makes a line JSON with a timestamp, unless the format of the logger has done so: to format it twice costs most of what a line costs. */
const asJson = winston.format(info => {
  const line = info[MESSAGE]
  const isDone = typeof line === 'string' && /^\{".*\}$/.test(line) && line.includes('"timestamp":')
  return isDone ? info : toJson.transform(info)
})

/**
 * Makes a transport for winston: `winston.createLogger({ transports: [segments({ directory })] })`. Lines are JSON with a
 * timestamp, whatever the format of the logger is; `format` makes other JSON of them.
 * @throws Error if the directory cannot be created, or if other users may write to it
 */
export const segments = ({
  format = asJson(),
  ...options
}: SegmentsOptions & winston.transport.TransportStreamOptions): winston.transports.StreamTransportInstance =>
  new winston.transports.Stream({ ...options, format, stream: createLineStream(options), eol: '\n' })
