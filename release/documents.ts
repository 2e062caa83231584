import { dispatch } from '../lib/cli/command.ts'

const [first = '-'] = process.argv.slice(2)
if (first.startsWith('-')) await import('./documents/main.ts')
else
  await dispatch('npm run docs -- [NAME] [options]', 'Writes what is generated in the documents.', {
    packages: () => import('./packages/sizes.ts'),
  })
