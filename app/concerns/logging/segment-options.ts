import { integer, text, type Values } from '../../../lib/cli/options.ts'
import { diskMibBounds, memoryMibBounds } from '../../../logger-transport/main-thread/segment-limits.ts'

export const segmentOptions = {
  logDir: text({
    placeholder: 'DIR',
    default: 'logs/segments',
    help: 'logging sidecar: directory of its segments',
  }),
  logMemoryMib: integer({
    ...memoryMibBounds,
    default: '16',
    help: 'logging sidecar: memory for lines that cannot be written yet; further lines are dropped',
  }),
  logDiskMib: integer({
    ...diskMibBounds,
    default: '256',
    help: 'logging sidecar: disk space for undelivered segments',
  }),
} as const

export type SegmentValues = Values<typeof segmentOptions>
