import { choice, duration, integer, toggle, type Values } from '../../lib/cli/options.ts'
import { natsOption } from '../../workers/options.ts'
import { type Composition, concerns, forEachConcern, namesOf } from '../concerns.ts'
import { findStep, lastStep, listedSteps, type Step, stepNames, steps } from '../steps.ts'

/** The options of what operates the service: limits, overload, instances, other machines, faults. */
export const operationOptions = {
  listenFd: integer({
    min: 3,
    max: 1024,
    help: 'listen on this file descriptor, a bound socket, in place of --host and --port',
  }),
  maxConnections: integer({
    min: 1,
    max: 100_000,
    default: '4096',
    help: 'open connections; beyond, new ones are closed. An idle one holds about 20 KB',
  }),
  maxWaitMs: duration({
    minMs: 1,
    default: '1s',
    help: 'a request that would have to wait longer for a worker or for upstream is refused with 503',
  }),
  pageMemoryMib: integer({
    min: 1,
    max: 4096,
    default: '128',
    help: 'memory for unfinished pages and for pages that clients have not yet received; beyond it /page answers 503',
  }),
  overload: choice({
    choices: ['refuse', 'none'],
    default: 'refuse',
    help: 'what happens beyond --max-wait: none admits every request, to show what that costs',
  }),
  unreadyMs: duration({
    default: '0ms',
    help: 'on a stop: how long /readyz answers 503 before the app accepts no more connections',
  }),
  instances: integer({
    min: 1,
    max: 64,
    default: '1',
    help: 'processes of the app that share its port; each has pools of its own',
  }),
  nats: {
    ...natsOption,
    help: 'compute nats: server of NATS over which tasks go to workers (default: NATS_URL, or nats://127.0.0.1:4222); credentials as for the command nats',
  },
  faults: toggle({ help: 'add fault switches to the admin server' }),
} as const

/** The options that select a composition: a step, and for each concern an implementation that replaces the step's. */
export const compositionOptions = {
  step: {
    ...choice({
      choices: stepNames,
      default: lastStep.name,
      help: 'step whose composition runs, or its number',
    }),
    expected: `one of ${listedSteps}`,
    parse: (given: string) => findStep(given)?.name,
  },
  ...forEachConcern(concern =>
    choice({
      choices: namesOf(concern),
      help: `implementation of ${concern}, in place of the step's implementation`,
    }),
  ),
} as const

/** The implementation of every concern, as the options select it. */
export function composeFrom(values: Values<typeof compositionOptions>): Composition {
  const { composition } = steps.find(({ name }) => name === values.step) as Step
  const chosen = concerns.map(concern => [concern, values[concern] ?? composition[concern]])
  return Object.fromEntries(chosen)
}
