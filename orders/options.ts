import { duration, integer, text } from '../lib/cli/options.ts'

export const ordersOptions = {
  host: text({ placeholder: 'HOST', default: '127.0.0.1', help: 'address to listen on' }),
  port: integer({ min: 0, max: 65535, default: '3001', help: 'port to listen on; 0 takes a free one' }),
  latencyMs: duration({ default: '0ms', help: 'wait this long before every answer' }),
  recommendationsLatencyMs: duration({
    default: '20ms',
    help: 'wait this long before an answer with recommendations',
  }),
} as const
