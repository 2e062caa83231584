import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { images } from '../../release/images/table.ts'
import { nodeFlagsOf } from '../../stack/permissions.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

// `npm run test:containers` builds the images, starts them and looks at their users.
describe('the Dockerfile', () => {
  const targets = readStages(read('Dockerfile')).filter(({ from }) => from === 'runtime')

  test('copies to every image what it imports, packages first, and nothing else', () => {
    assert.deepEqual(
      targets.map(({ name }) => name),
      Object.keys(images),
    )
    for (const { name, text } of targets) {
      const content = ['packages', 'sources'].map(part => `COPY --from=build /images/${name}/${part} ./`)
      assert.deepEqual(text.match(/^(COPY|ADD) .*/gm), content)
    }
  })

  test('starts the app with the flags of V8 with which the stack starts it', () => {
    const app = targets.find(({ name }) => name === 'app')?.text ?? ''
    const command: string[] = JSON.parse(/^CMD (.*)$/m.exec(app)?.[1] ?? '[]')
    assert.deepEqual(command, [...nodeFlagsOf('app', {}), 'app/main.ts'])
  })
})

function readStages(dockerfile: string) {
  return dockerfile
    .split(/^FROM /m)
    .slice(1)
    .map(text => {
      const [, from = '', name = ''] = /^(\S+) AS (\S+)/.exec(text) ?? []
      return { from, name, text }
    })
}
