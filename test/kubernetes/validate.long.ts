import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Ajv } from 'ajv'
import { parse, stringify } from 'yaml'
import { temporaryDirectory } from '../temporary-directory.ts'
import { findMissingGo, go, pypiCommand, reasonOf, toolDirectory } from '../tools.ts'
import { parseManifest } from './manifest.ts'

/** The oldest version that the manifests are for, and the newest that the validator knows. */
const VERSIONS = ['1.34', '1.37']

const KUSTOMIZE_VERSION = 'v5.8.2'
const KEDA = 'github.com/kedacore/keda/v2@v2.21.0'
const GO_VERSION = 24
const toolsDirectory = toolDirectory('kustomize', KUSTOMIZE_VERSION)
const KUSTOMIZE = join(toolsDirectory, 'kustomize')

/** Has the schemas of many versions of Kubernetes, so that it validates without a cluster and without a network. */
const validator = pypiCommand('kubernetes-validate', '1.37.0')

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
})

/** Installs kustomize and the validator. @returns what is missing for that, or undefined */
function findMissing(): string | undefined {
  const missing = validator.findMissing() ?? (existsSync(KUSTOMIZE) ? undefined : findMissingGo(GO_VERSION))
  if (missing || existsSync(KUSTOMIZE)) return missing
  try {
    go(['install', `sigs.k8s.io/kustomize/kustomize/v5@${KUSTOMIZE_VERSION}`], {
      env: { GOBIN: toolsDirectory },
    })
    return undefined
  } catch (error) {
    return `kustomize ${KUSTOMIZE_VERSION} cannot be built: ${reasonOf(error)}`
  }
}

/** The schema of one of KEDA's resources, from the sources of KEDA: the validator knows only those of Kubernetes. */
function schemaOfKeda(plural: string): object {
  const { Dir } = JSON.parse(go(['mod', 'download', '-json', KEDA])) as { readonly Dir: string }
  const definition = parse(readFileSync(join(Dir, `config/crd/bases/keda.sh_${plural}.yaml`), 'utf8'))
  return closed(definition.spec.versions[0].schema.openAPIV3Schema)
}

/** A schema that refuses unknown properties, as the API server does with strict validation. */
function closed(schema: unknown): object {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema as never
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  return 'properties' in copy && !copy['x-kubernetes-preserve-unknown-fields']
    ? { additionalProperties: false, ...copy }
    : copy
}
