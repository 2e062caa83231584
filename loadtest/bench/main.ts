import { dispatch } from '../../lib/cli/dispatch.ts'

await dispatch('npm run bench -- NAME [options]', 'Measures what one concern costs, by implementation.', {
  logging: () => import('./logging.ts'),
  apm: () => import('./apm.ts'),
  serialization: () => import('./serialization.ts'),
  nats: () => import('./nats.ts'),
})
