import { agentMemoryMibBounds, apmSocketOption } from '../../../apm-agent/options.ts'
import { integer, type Values } from '../../../lib/cli/options.ts'

export const recordOptions = {
  apmSocket: apmSocketOption,
  apmMemoryMib: integer({
    ...agentMemoryMibBounds,
    default: '4',
    help: 'apm sidecar: memory for records that apm-agent has not acknowledged; further records are dropped',
  }),
} as const

export type RecordValues = Values<typeof recordOptions>
