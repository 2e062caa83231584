import { dispatch } from '../../lib/cli/dispatch.ts'

await dispatch('npm run bench -- NAME [options]', 'Measures what one concern costs, by implementation.', {
  apm: () => import('./apm.ts'),
  gc: () => import('./gc.ts'),
  serialization: () => import('./serialization.ts'),
})
