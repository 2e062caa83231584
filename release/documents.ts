import { dispatch } from '../lib/cli/dispatch.ts'

await dispatch('npm run docs -- NAME [options]', 'Writes what is generated in README and docs.', {
  results: () => import('../loadtest/documents/main.ts'),
  pictures: () => import('../talk/stage/pictures/main.ts'),
  packages: () => import('./packages/sizes.ts'),
})
