import type { CallTimes } from '../lib/telemetry/call-times.ts'
import { type DonePart, type PackedValue, partNames, type SourceName, sourceNames } from './protocol.ts'

const PART_FIELDS = 4
const CALL_FIELDS = 6

/** Appends a rendered part to the list of a message. */
export function packPart(list: number[], { name, askedAtMs, startedAtMs, runMs }: DonePart): void {
  list.push(partNames.indexOf(name), askedAtMs, startedAtMs, runMs)
}

export function unpackParts(list: readonly number[], take: (part: DonePart) => void): void {
  for (let at = 0; at < list.length; at += PART_FIELDS) {
    const [name, askedAtMs, startedAtMs, runMs] = list.slice(at, at + PART_FIELDS) as FourNumbers
    take({ name: partNames[name] as DonePart['name'], askedAtMs, startedAtMs, runMs })
  }
}

/** Appends a call that has ended to the list of a message. */
export function packCall(list: PackedValue[], source: SourceName, times: CallTimes): void {
  const { startedAtMs, durationMs, wasSent, status, errorType } = times
  list.push(sourceNames.indexOf(source), startedAtMs, durationMs, Number(wasSent), status, errorType ?? '')
}

export function unpackCalls(
  list: readonly PackedValue[],
  take: (source: SourceName, times: CallTimes) => void,
): void {
  for (let at = 0; at < list.length; at += CALL_FIELDS) {
    const [source, startedAtMs, durationMs, wasSent, status] = list.slice(at, at + CALL_FIELDS) as FiveNumbers
    const errorType = (list[at + CALL_FIELDS - 1] as string) || undefined
    const times = { startedAtMs, durationMs, wasSent: wasSent === 1, status, errorType }
    take(sourceNames[source] as SourceName, times)
  }
}

type FourNumbers = [number, number, number, number]
type FiveNumbers = [...FourNumbers, number]
