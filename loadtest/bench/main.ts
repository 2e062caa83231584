import { dispatch } from '../../lib/cli/command.ts'
import { runBench } from './bench.ts'

await dispatch('npm run bench -- NAME [options]', 'Measures what one concern costs, by implementation.', {
  apm: async () => runBench((await import('./apm.ts')).apm),
  hop: async () => runBench((await import('./hop.ts')).hop),
  rendering: async () => runBench((await import('./rendering.ts')).rendering),
  serialization: async () => runBench((await import('./serialization.ts')).serialization),
})
