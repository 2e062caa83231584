import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { readCallTree } from './call-tree.ts'
import { writeFlameGraphs } from './flame-graphs.ts'
import { profileFixture } from './profile.fixture.ts'
import { readPublished, withSpectra } from './results.fixture.ts'

const results = withSpectra(readPublished('ladder'))

function directoryOf(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'flame-'))
  t.after(() => rmSync(directory, { recursive: true }))
  mkdirSync(join(directory, 'profiles'))
  return directory
}

describe('the call tree of a profile', () => {
  test('has the time of each function with all that it called, and what it belongs to, without sleep', () => {
    const tree = readCallTree(profileFixture)
    assert.equal(tree.value, 1000 + 3000 + 500)
    const [route, collector] = tree.children
    assert.deepEqual(
      [route?.name, route?.kind, route?.value],
      ['serve app/routes.ts:10', 'application', 4000],
    )
    assert.deepEqual([collector?.kind, collector?.value], ['gc', 500])
    const [enumerate] = route?.children ?? []
    assert.deepEqual([enumerate?.kind, enumerate?.value], ['compute', 3000])
  })

  test('of functions that are named like what every object has is a tree like any other', () => {
    const nodes = profileFixture.nodes.map(node => ({
      ...node,
      callFrame: { ...node.callFrame, functionName: 'constructor' },
    }))
    assert.equal(typeof readCallTree({ ...profileFixture, nodes }).children[0]?.kind, 'string')
  })
})

describe('flame graphs', () => {
  test('are made of the profiles that are there, and linked relative to the report', t => {
    const directory = directoryOf(t)
    writeFileSync(join(directory, 'profiles/1.cpuprofile'), JSON.stringify(profileFixture))
    const made = writeFlameGraphs(results, directory, directory)
    assert.deepEqual(made, [{ name: '1 compute, main', href: 'profiles/1.html' }])
    const page = readFileSync(join(directory, 'profiles/1.html'), 'utf8')
    assert.match(page, /<h1>1 compute, main<\/h1>/)
    assert.match(page, /serve app\/routes\.ts:10/)
  })

  test('end no element early, whatever a function is called', t => {
    const directory = directoryOf(t)
    const nodes = profileFixture.nodes.map(node => ({
      ...node,
      callFrame: { ...node.callFrame, functionName: '</script><b>' },
    }))
    writeFileSync(join(directory, 'profiles/0.cpuprofile'), JSON.stringify({ ...profileFixture, nodes }))
    writeFlameGraphs(results, directory, directory)
    const page = readFileSync(join(directory, 'profiles/0.html'), 'utf8')
    assert.equal(page.split('</script>').length, 2)
    assert.doesNotMatch(page, /<b>/)
  })

  test('are made of nothing outside the directory of the run', t => {
    const directory = directoryOf(t)
    writeFileSync(join(directory, 'outside.cpuprofile'), JSON.stringify(profileFixture))
    const [row] = results.steps
    const spectrum = { ...row?.spectrum, profile: '../outside.cpuprofile' } as NonNullable<
      (typeof results.steps)[number]['spectrum']
    >
    const steps = results.steps.map(each => ({ ...each, spectrum }))
    const inner = join(directory, 'profiles')
    assert.deepEqual(writeFlameGraphs({ ...results, steps }, inner, inner), [])
    assert.ok(!existsSync(join(directory, 'outside.html')))
  })
})
