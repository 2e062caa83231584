import { integer, text } from '../lib/options.ts'

export const agentOptions = {
  host: text({ placeholder: 'HOST', default: '127.0.0.1', help: 'address to listen on' }),
  port: integer({
    min: 0,
    max: 65535,
    default: '4318',
    help: 'port of the OTLP/HTTP receiver; 0 takes a free one',
  }),
} as const
