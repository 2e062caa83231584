import type { Command } from '../../lib/cli/command.ts'
import { duration, integer, text, toggle } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import { requestOptions, requestsOf } from '../load/options.ts'
import { jsonOption } from '../output/render.ts'
import { describeAdjusted, describeLoad, describeOpen, printComparisons, toJson } from '../output/versus.ts'
import { compareBodies } from '../versus/bodies.ts'
import { compare } from '../versus/compare.ts'
import { runBlocks } from '../versus/run-blocks.ts'
import { abortOnStop } from './subject.ts'

const options = {
  before: text({
    help: 'command of the one side; it listens on PORT, or on {port} in the command',
    placeholder: 'COMMAND',
  }),
  after: text({ help: 'command of the other side', placeholder: 'COMMAND' }),
  url: text({ help: 'path to ask for', placeholder: '/PATH', default: '/' }),
  ...requestOptions,
  budgetMs: duration({
    help: 'how long to measure at most; it ends earlier once the difference is found',
    default: '3m',
  }),
  blocks: integer({
    help: 'exactly so many blocks, each of which measures both sides once, whatever is found',
    min: 2,
    max: 1000,
  }),
  warmupMs: duration({ help: 'load on each side, by turns, before a block begins', default: '1s' }),
  forMs: duration({ help: 'load on each side in a block, by turns', default: '2s', minMs: 200 }),
  readyMs: duration({ help: 'how long a command may take until it listens', default: '30s' }),
  anyBody: toggle({ help: 'compare even if the two answer with different bodies' }),
  json: jsonOption,
}

export const versus: Command<typeof options> = {
  usage: "main-thread versus --before 'node a.js' --after 'node b.js' [options]",
  description:
    'Says whether a change made a service faster: fresh processes, interleaved in random order, ratios with 95 % intervals and verdicts. Both run at once, and may differ in anything: code, packages, or the version of Node.js. A command that is not Node.js, or leaves the work to processes that it starts, is compared by its total CPU time.',
  options,
  async run(values) {
    const { url: path, before, after } = values
    if (before === undefined || after === undefined)
      throw new UserError('give both commands, --before and --after')
    if (!path.startsWith('/')) throw new UserError(`--url expects a path such as /hello, received "${path}"`)
    const requests = requestsOf(values, path)
    const tell = (line: string) => void process.stderr.write(`${line}\n`)
    const blocks = await runBlocks({ before, after }, { ...values, requests }, abortOnStop(), tell)
    const comparisons = compare(blocks, values.blocks === undefined)
    const remarks = [
      ...(values.anyBody ? [] : [compareBodies(blocks)]),
      ...describeOpen(comparisons),
      ...describeAdjusted(comparisons),
      ...describeLoad(blocks),
    ]
    const answer = { before, after, path, blocks: blocks.map(toJson), comparisons, remarks }
    printComparisons(values.json, `before: ${before}\n\nafter: ${after}`, answer)
  },
}
