import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')

/** What a target runs. Of a sidecar that is decided by the composition, of whose implementations it loads none. */
const runs: Readonly<Record<string, { readonly files: readonly string[]; readonly loadsNoneOf?: string }>> = {
  orders: { files: ['orders/main.ts'] },
  'logger-transport': sidecar('logger-transport'),
  'apm-agent': sidecar('apm-agent'),
  app: { files: ['app/main.ts'] },
  loadtest: { files: ['loadtest/main.ts', 'loadtest/generator/steady.ts', 'stack/main.ts'] },
}

function sidecar(name: string) {
  return { files: ['stack/when-needed.ts', `${name}/main.ts`], loadsNoneOf: 'app/concerns.ts' }
}

describe('the Dockerfile', () => {
  const stages = readStages(read('Dockerfile'))
  for (const [target, { files, loadsNoneOf }] of Object.entries(runs)) {
    const layers = ancestors(stages, target)

    test(`copies all that ${target} imports`, () => {
      const copied = layers.flatMap(stage => stage.copied)
      const isCopied = (file: string) => copied.some(path => file === path || file.startsWith(`${path}/`))
      const missing = importedFrom(files, loadsNoneOf).filter(file => !isCopied(file))
      assert.deepEqual(missing, [])
    })

    test(`runs ${target} as nobody`, () => {
      assert.equal(layers.find(({ user }) => user)?.user, 'node')
    })
  }
})

interface Stage {
  readonly name: string
  readonly from: string
  readonly copied: readonly string[]
  readonly user: string | undefined
}

function readStages(dockerfile: string): Stage[] {
  return dockerfile
    .split(/^FROM /m)
    .slice(1)
    .map(stage => {
      const [, from = '', name = ''] = /^(\S+) AS (\S+)/.exec(stage) ?? []
      const copied = [...stage.matchAll(/^COPY (?:--from=build \/srv\/)?(\S+) \S+$/gm)].map(
        ([, path]) => path as string,
      )
      return { name, from, copied, user: /^USER (\S+)$/m.exec(stage)?.[1] }
    })
}

/** A stage, and those that it is made of, the last first. */
function ancestors(stages: readonly Stage[], name: string): Stage[] {
  const stage = stages.find(each => each.name === name)
  return stage ? [stage, ...ancestors(stages, stage.from)] : []
}

/** The files of the project that these import, and so on; types are not imported when they run. */
function importedFrom(files: readonly string[], loadsNoneOf?: string): string[] {
  const found = new Set<string>()
  const visit = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    if (!/\.tsx?$/.test(file)) return
    const fixed = read(file).matchAll(/^(?:import|export) (?!type\b)[^']*'(\.[^']+)'/gm)
    const lazy = file === loadsNoneOf ? [] : read(file).matchAll(/\bimport\('(\.[^']+)'\)/g)
    for (const [, path] of [...fixed, ...lazy]) visit(join(dirname(file), path as string))
  }
  files.forEach(visit)
  return [...found]
}
