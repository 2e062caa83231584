import type { Column, renderColumns } from '../../lib/cli/columns.ts'
import { formatRatio } from '../outcome/format.ts'
import { median } from '../statistics/median.ts'
import { ratioOf, type Samples } from './bench-results.ts'
import { type Codec, caseName, loads } from './serialization-cases.ts'

type Load = (typeof loads)[number]

/** A table with a row for each load: the time of each codec, and its ratio to the time of JSON. */
export function renderSerialization(samples: Samples, render: typeof renderColumns): string {
  const valuesOf = (load: Load, codec: Codec) => samples[caseName(load, codec)]
  const micros = (codec: Codec): Column<Load> => ({
    title: `${codec} µs`,
    cell: load => formatMicros(median(valuesOf(load, codec) ?? [])),
  })
  const versusJson = (codec: Codec): Column<Load>[] => {
    const ratio = (load: Load) => {
      const [own, json] = [valuesOf(load, codec), valuesOf(load, 'JSON')]
      return own && json && ratioOf(own, json)
    }
    return [
      micros(codec),
      { title: '× JSON', cell: load => formatRatio(ratio(load), 2) },
      { title: 'verdict', cell: load => ratio(load)?.verdict ?? '-' },
    ]
  }
  return render(loads, [
    { title: 'orders', cell: ({ operation, payload, count }) => `${operation} ${count} of ${payload}` },
    micros('JSON'),
    ...versusJson('compiled JSON'),
    ...versusJson('Protobuf'),
  ])
}

const formatMicros = (nanos: number | null) => (nanos === null ? '-' : (nanos / 1000).toFixed(2))
