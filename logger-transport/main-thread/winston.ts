import winston from 'winston'
import type { SegmentsOptions } from './index.ts'
import { createLineStream } from './line-stream.ts'

const { combine, json, timestamp } = winston.format

/**
 * Makes a transport for winston: `winston.createLogger({ transports: [segments({ directory })] })`. Lines are JSON with a
 * timestamp, whatever the format of the logger is; `format` makes other JSON of them.
 * @throws Error if the directory cannot be created, or if other users may write to it
 */
export const segments = ({
  format = combine(timestamp(), json()),
  ...options
}: SegmentsOptions & winston.transport.TransportStreamOptions): winston.transports.StreamTransportInstance =>
  new winston.transports.Stream({ ...options, format, stream: createLineStream(options), eol: '\n' })
