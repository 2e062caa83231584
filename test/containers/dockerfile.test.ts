import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sourcesOf } from '../../release/images/content.ts'
import { images } from '../../release/images/table.ts'
import { nodeFlagsOf } from '../../stack/permissions.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

describe('the Dockerfile', () => {
  const stages = readStages(read('Dockerfile'))
  const targets = stages.filter(({ from }) => from === 'runtime')

  test('has a target for every image', () => {
    assert.deepEqual(
      targets.map(({ name }) => name),
      Object.keys(images),
    )
  })

  for (const { name, text } of targets) {
    test(`copies what ${name} imports, packages first, and nothing else`, () => {
      const content = ['packages', 'sources'].map(part => `COPY --from=build /images/${name}/${part} ./`)
      assert.deepEqual(text.match(/^(COPY|ADD) .*/gm), content)
    })

    test(`starts ${name} with a file whose imports are followed`, () => {
      const [started = ''] = /[\w/-]+\.ts/.exec(text) ?? []
      assert.ok(images[name]?.entries.includes(started), started)
    })
  }

  test('gets every file that makes the pages and the images', () => {
    const given = Array.from(read('.dockerignore').matchAll(/^!(.+)$/gm), ([, path]) => path as string)
    const builders = { entries: ['build.ts', 'release/images/main.ts'] }
    const all = [builders, ...Object.values(images)].flatMap(image => sourcesOf(ROOT, image).files)
    const isGiven = (file: string) => given.some(path => file === path || file.startsWith(`${path}/`))
    assert.deepEqual(
      [...new Set(all)].filter(file => !isGiven(file)),
      [],
    )
  })

  test('starts the app with the flags of V8 with which the stack starts it', () => {
    const app = targets.find(({ name }) => name === 'app')?.text ?? ''
    const command: string[] = JSON.parse(/^CMD (.*)$/m.exec(app)?.[1] ?? '[]')
    assert.deepEqual(command, [...nodeFlagsOf('app', {}), 'app/main.ts'])
  })

  test('runs every image as a user that is not root, by number', () => {
    for (const base of ['runtime', 'nats'])
      assert.match(stages.find(({ name }) => name === base)?.text ?? '', /^USER 1000$/m)
    assert.equal(read('Dockerfile').match(/^USER .*/gm)?.length, 2)
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
