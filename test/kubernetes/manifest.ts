import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'

/** The part of a container that the tests read. */
export interface Container {
  readonly name: string
  readonly image: string
  readonly restartPolicy?: string
  readonly lifecycle?: object
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly startupProbe?: Probe
  readonly readinessProbe?: Probe
  readonly livenessProbe?: Probe
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}

export interface Pod {
  readonly terminationGracePeriodSeconds?: number
  readonly initContainers?: readonly Container[]
  readonly containers: readonly Container[]
}

/** A Deployment or a StatefulSet. */
export interface Workload {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: { readonly template: { readonly spec: Pod } }
}

/** Reads the documents of a YAML file, or of what a command printed. */
export const parseManifest = (text: string): unknown[] =>
  parseAllDocuments(text).map(document => document.toJS())

/** Reads the Deployments in files. */
export const readDeployments = (files: readonly string[]): Workload[] =>
  files
    .flatMap(file => parseManifest(readFileSync(file, 'utf8')) as Workload[])
    .filter(({ kind }) => kind === 'Deployment')
