import type { Column } from '../../lib/columns.ts'
import { renderColumns } from '../../lib/columns.ts'
import type { Command } from '../../lib/command.ts'
import { renderMarkdownTable } from '../../lib/markdown.ts'
import { duration, integer, text, toggle } from '../../lib/options.ts'
import { UserError } from '../../lib/user-error.ts'
import { type Block, compareBodies } from '../versus/bodies.ts'
import { type Comparison, compare } from '../versus/compare.ts'
import { runBlocks } from '../versus/run-blocks.ts'
import { abortOnStop } from './subject.ts'

/** Above this, the load generator and not the service may limit the rate. */
const BUSY_GENERATOR = 0.9

const options = {
  before: text({
    help: 'command of the one side; it listens on PORT, or on {port} in the command',
    placeholder: 'COMMAND',
  }),
  after: text({ help: 'command of the other side', placeholder: 'COMMAND' }),
  url: text({ help: 'path to ask for', placeholder: '/PATH', default: '/' }),
  connections: integer({ help: 'connections of the load', default: '10', min: 1, max: 10_000 }),
  blocks: integer({
    help: 'number of blocks; each measures both sides once',
    default: '10',
    min: 2,
    max: 1000,
  }),
  warmupMs: duration({ help: 'time under load before each window', default: '2s' }),
  forMs: duration({ help: 'duration of each window', default: '4s', minMs: 200 }),
  readyMs: duration({ help: 'how long a command may take until it listens', default: '30s' }),
  anyBody: toggle({ help: 'compare even if the two answer with different bodies' }),
  acceptNoise: toggle({ help: 'count samples however much other programs disturbed them' }),
  json: toggle({ help: 'the answer as JSON' }),
  markdown: toggle({ help: 'the answer as Markdown' }),
}

export const versus: Command<typeof options> = {
  usage: "main-thread versus --before 'node a.js' --after 'node b.js' --url /path [options]",
  description:
    'Says whether a change made a service faster: fresh processes, interleaved in random order, ratios with 95 % intervals and verdicts. The commands may differ in anything: code, packages, or the version of Node.js. A command that is not Node.js is compared by its total CPU time.',
  options,
  async run(values) {
    const { before, after, url: path } = values
    if (!before || !after)
      throw new UserError('give both commands, --before and --after; --help has an example')
    if (!path.startsWith('/')) throw new UserError(`--url expects a path such as /hello, received "${path}"`)
    const tell = (line: string) => void process.stderr.write(`${line}\n`)
    const blocks = await runBlocks({ before, after }, { ...values, path }, abortOnStop(), tell)
    const comparisons = compare(blocks)
    const remarks = [...(values.anyBody ? [] : [compareBodies(blocks)]), ...describeGenerator(blocks)]
    process.stdout.write(
      values.json
        ? `${JSON.stringify({ schemaVersion: 1, before, after, path, blocks: blocks.map(toJson), comparisons, remarks }, null, 2)}\n`
        : `${values.markdown ? renderMarkdownTable(comparisons, columns) : renderColumns(comparisons, columns)}\n\n${remarks.join('\n')}\n`,
    )
  },
}

const columns: readonly Column<Comparison>[] = [
  { title: 'median of blocks', cell: ({ measure }) => measure },
  { title: 'before', cell: ({ before }) => formatNumber(before) },
  { title: 'after', cell: ({ after }) => formatNumber(after) },
  { title: 'ratio', cell: ({ ratio: { ratio } }) => ratio?.toFixed(3) ?? '' },
  {
    title: '95 %',
    cell: ({ ratio: { ci95 } }) => (ci95 ? `[${ci95.map(end => end.toFixed(3)).join(', ')}]` : ''),
  },
  { title: 'verdict', cell: ({ ratio: { verdict } }) => verdict },
]

const formatNumber = (value: number | null) =>
  value === null ? '' : value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)

function describeGenerator(blocks: readonly Block[]): string[] {
  const busiest = Math.max(
    ...blocks.flatMap(({ before, after }) => [before, after]).map(each => each.generatorUtilization),
  )
  return busiest > BUSY_GENERATOR
    ? [
        `The load generator was up to ${(busiest * 100).toFixed(0)} % busy, so responses/s may be its limit; CPU time is not affected.`,
      ]
    : []
}

const toJson = ({ before, after }: Block) => ({
  before: { ...before, bodies: before.bodies.size },
  after: { ...after, bodies: after.bodies.size },
})
