import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Ajv } from 'ajv'
import { stringify } from 'yaml'
import { temporaryDirectory } from '../temporary-directory.ts'
import { parseManifest } from './manifest.ts'
import { findMissing, KUSTOMIZE, schemaOfKeda, validator } from './tools.ts'

/** The oldest version that the manifests are for, and the newest that the validator knows. */
const VERSIONS = ['1.34', '1.37']

const ROOT = join(import.meta.dirname, '../../deploy/kubernetes')
const overlays = readdirSync(join(ROOT, 'overlays')).map(name => join('overlays', name))
const missing = findMissing()
const directory = temporaryDirectory({ after })

interface Resource {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
}

const build = (folder: string): Resource[] =>
  parseManifest(execFileSync(KUSTOMIZE, ['build', join(ROOT, folder)], { encoding: 'utf8' })) as Resource[]
const isOfKeda = ({ apiVersion }: Resource) => apiVersion.startsWith('keda.sh/')

/** Validates resources of Kubernetes, and refuses unknown fields. @throws with what is wrong */
function validate(resources: readonly Resource[], version: string): void {
  const file = join(directory, 'resources.yaml')
  writeFileSync(file, resources.map(resource => stringify(resource)).join('---\n'))
  const words = ['--strict', '--quiet', '-k', version, file]
  const { status, stdout, stderr } = spawnSync(validator.command, words, { encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
}

describe('deploy/kubernetes', { skip: missing }, () => {
  for (const folder of ['base', ...overlays]) {
    for (const version of VERSIONS)
      test(`${folder} is valid for Kubernetes ${version}`, () => {
        const resources = build(folder)
        assert.ok(resources.length > 0)
        validate(
          resources.filter(resource => !isOfKeda(resource)),
          version,
        )
      })

    test(`${folder} is valid for KEDA`, () => {
      const ajv = new Ajv({ strict: false, logger: false })
      for (const resource of build(folder).filter(isOfKeda)) {
        const isValid = ajv.validate(schemaOfKeda(`${resource.kind.toLowerCase()}s`), resource)
        assert.ok(isValid, `${resource.metadata.name}: ${ajv.errorsText()}`)
      }
    })

    test(`${folder} stays in its namespace`, () => {
      for (const { kind, metadata } of build(folder))
        assert.equal(
          kind === 'Namespace' ? metadata.name : metadata.namespace,
          'decomposition',
          metadata.name,
        )
    })
  }

  test('the validator refuses a field that Kubernetes does not know', () => {
    const [namespace] = build('base').filter(({ kind }) => kind === 'Namespace')
    assert.throws(() => validate([{ ...namespace, sepc: {} } as never], VERSIONS[0] as string), /sepc/)
  })
})
