import type { Column, renderColumns } from '../../lib/cli/columns.ts'
import { wordOf } from '../../lib/verdict.ts'
import { formatRatio } from '../outcome/format.ts'
import { install } from '../peers/install.ts'
import { median } from '../statistics/median.ts'
import { type Bench, ratioOf, type Samples } from './bench.ts'
import { inThreads } from './sample-thread.ts'
import {
  type Codec,
  caseName,
  cases,
  codecNames,
  type Load,
  loads,
  type Operation,
  operationNames,
  peerLoad,
} from './serialization-cases.ts'

export const serialization: Bench = {
  name: 'serialization',
  description: `CPU microseconds to decode and encode orders, by codec. Every sample is taken in a fresh thread, and every round has a
new order of the cases. Each case is checked for correct results before it is measured.`,
  async prepare() {
    await install()
    return Object.keys(cases)
  },
  defaultDuration: '100ms',
  ...inThreads('serialization-cases.ts'),
  render: (samples, render) => `${renderSerialization(samples, render)}\n\n${renderPeers(samples, render)}`,
}

type Render = typeof renderColumns

const loadsOfDemo = loads.filter(({ count }) => count === peerLoad.count)

export const renderSerializationOfDemo = (samples: Samples, render: Render): string =>
  renderSerialization(samples, render, loadsOfDemo)

/** A table with a row for each load: the time of each codec of the app, and its ratio to the time of JSON. */
export function renderSerialization(samples: Samples, render: Render, shown = loads): string {
  const columnsOf = (codec: Codec) => versusJson<Load>(samples, codec, load => [load, codec])
  return render(shown, [
    { title: 'orders', cell: ({ operation, payload, count }) => `${operation} ${count} of ${payload}` },
    ...columnsOf('JSON').slice(0, 1),
    ...columnsOf('compiled JSON'),
    ...columnsOf('Protobuf'),
  ])
}

/** A table with a row for JSON and each codec that the app does not have, for the orders of `/demo`. */
export function renderPeers(samples: Samples, render: Render): string {
  const loadOf = (operation: Operation): Load => ({ ...peerLoad, operation })
  const columnsOf = (operation: Operation) =>
    versusJson<Codec>(samples, operation, codec => [loadOf(operation), codec])
  const measured = codecNames.filter(
    codec =>
      !OF_THE_APP.includes(codec) &&
      operationNames.some(operation => samples[caseName(loadOf(operation), codec)]),
  )
  return render(measured, [
    { title: 'codec', cell: codec => codec },
    ...columnsOf('decode'),
    ...columnsOf('encode'),
  ])
}

/** Codecs that the other table has. */
const OF_THE_APP: readonly Codec[] = ['compiled JSON', 'Protobuf']

/** The time of a case, and its ratio to that of JSON; `-` for what a codec does not do. */
function versusJson<Row>(
  samples: Samples,
  name: string,
  caseOf: (row: Row) => readonly [Load, Codec],
): Column<Row>[] {
  const valuesOf = (row: Row) => samples[caseName(...caseOf(row))]
  const ratio = (row: Row) => {
    const [load, codec] = caseOf(row)
    const [own, json] = [valuesOf(row), samples[caseName(load, 'JSON')]]
    return codec !== 'JSON' && own && json ? ratioOf(own, json) : undefined
  }
  const sayVerdict = (row: Row) => {
    const { verdict } = ratio(row) ?? {}
    return verdict ? wordOf(verdict, 'lower') : '-'
  }
  return [
    { title: `${name} µs`, cell: row => formatMicros(median(valuesOf(row) ?? [])) },
    { title: '× JSON', cell: row => formatRatio(ratio(row), 2) },
    { title: 'verdict', cell: sayVerdict },
  ]
}

const formatMicros = (nanos: number | null) => (nanos === null ? '-' : (nanos / 1000).toFixed(2))
