import { choice } from '../../../lib/cli/options.ts'
import { rowsCommand } from '../../declaration/rows-command.ts'
import { BESIDE_RATE, loadOptions, samplingOptions } from '../../options.ts'
import { install } from '../../peers/install.ts'
import { settingsFrom } from '../../settings-from.ts'
import { comparedConcerns, comparisonOf, concernOf, describePlaces, peerColumns, rowsOf } from './table.ts'

export const peersCommand = rowsCommand({
  name: 'peers',
  description: `Puts what people pick instead beside ours: each in the same service, with the same requests, which are answered with
the same bodies. Installs the peers into loadtest/peers/node_modules, where nothing else uses them.`,
  options: {
    concern: choice({
      choices: comparedConcerns,
      default: 'compute',
      help: 'the concern whose implementations are compared',
    }),
    connections: loadOptions.connections,
    ...samplingOptions,
  },
  async plan({ concern, ...others }, abort) {
    await install(abort)
    const settings = settingsFrom('peers', others, {
      connections: others.connections,
      scenario: comparisonOf(concern).scenario,
      baseline: 'first',
      beside: 'hello',
      besideRate: BESIDE_RATE,
    })
    return { rows: rowsOf(concern), settings, startedAtMs: performance.now() }
  },
  heading: ({ steps }) => ({
    title: `Ours and its peers: ${concernOf(steps)}`,
    introduction:
      'Each row is the same service with another implementation of one concern; /hello is asked for beside the load.',
  }),
  columns: peerColumns,
  remarks: ({ steps }) =>
    describePlaces(steps.filter(({ name }) => name !== comparisonOf(concernOf(steps)).floor)),
  plots: [
    'main-thread-versus-first',
    'goodput-versus-first',
    'main-thread',
    'hello',
    'latency',
    'shared-memory',
  ],
})
