import { agentOptions } from '../../apm-agent/options.ts'
import { appOptions } from '../../app/config.ts'
import { firstStep } from '../../app/steps.ts'
import { duration, integer, text, toggle } from '../../lib/cli/options.ts'
import { connections, scenario } from '../../loadtest/generator/steady-options.ts'

export const stageOptions = {
  step: { ...appOptions.step, default: firstStep.name, help: 'step that is shown first' },
  tour: duration({ minMs: 1000, help: 'walk through all steps and show each for this time; a key pauses' }),
  whole: toggle({ help: 'let the tour go on to /page and to the mix, at the steps where the script does' }),
  end: toggle({ help: 'end after the tour' }),
  connections,
  scenario,
  rate: integer({
    min: 1,
    max: 100_000,
    help: 'send this number of requests a second, whether or not earlier ones are answered',
  }),
  record: text({
    placeholder: 'FILE',
    help: 'write the tour to this file (default: one in talk/stage/recordings for each tour)',
  }),
  replay: text({ placeholder: 'FILE', help: 'show a recorded tour; nothing is measured' }),
  stagePort: integer({ min: 0, max: 65535, default: '4317', help: 'port of the stage; 0 takes a free one' }),
  stageToken: text({ placeholder: 'TOKEN', help: 'token that a command needs (default: random)' }),
  port: appOptions.port,
  apmAgentPort: agentOptions.port,
  threads: appOptions.threads,
} as const
