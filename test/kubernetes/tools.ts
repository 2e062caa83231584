import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { findMissingGo, go, reasonOf } from '../tools/go.ts'
import { pypiCommand, toolDirectory } from '../tools/pypi.ts'

const KUSTOMIZE_VERSION = 'v5.8.2'
const KEDA = 'github.com/kedacore/keda/v2@v2.21.0'
const GO_VERSION = 24
const directory = toolDirectory('kustomize', KUSTOMIZE_VERSION)
export const KUSTOMIZE = join(directory, 'kustomize')

/** Has the schemas of many versions of Kubernetes, so that it validates without a cluster and without a network. */
export const validator = pypiCommand('kubernetes-validate', '1.37.0')

/** Installs kustomize and the validator. @returns what is missing for that, or undefined */
export function findMissing(): string | undefined {
  const missing = validator.findMissing() ?? (existsSync(KUSTOMIZE) ? undefined : findMissingGo(GO_VERSION))
  if (missing || existsSync(KUSTOMIZE)) return missing
  try {
    go(['install', `sigs.k8s.io/kustomize/kustomize/v5@${KUSTOMIZE_VERSION}`], { env: { GOBIN: directory } })
    return undefined
  } catch (error) {
    return `kustomize ${KUSTOMIZE_VERSION} cannot be built: ${reasonOf(error)}`
  }
}

/** The schema of one of KEDA's resources, from the sources of KEDA: the validator knows only those of Kubernetes. */
export function schemaOfKeda(plural: string): object {
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
