import type { Values } from '../../../lib/cli/options.ts'
import { natsOption } from '../../../workers/options.ts'

/** The options of tasks on other machines. */
export const natsOptions = {
  nats: {
    ...natsOption,
    help: 'compute nats: server of NATS over which tasks go to workers (default: NATS_URL, or nats://127.0.0.1:4222); credentials as for the command nats',
  },
} as const

export type NatsValues = Values<typeof natsOptions>
