import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import { agentOptions } from '../../apm-agent/options.ts'
import { appOptions } from '../../app/config.ts'
import type { OptionTable } from '../../lib/cli/options.ts'
import { transportOptions } from '../../logger-transport/options.ts'
import { ordersOptions } from '../../orders/order.ts'
import { remoteWorkerOptions } from '../../workers/remote/options.ts'

/** Each variable in a container's environment must be an option of the process that runs in it. */
export const processOptions: Readonly<Record<string, OptionTable>> = {
  orders: ordersOptions,
  'logger-transport': transportOptions,
  'apm-agent': agentOptions,
  app: appOptions,
  worker: remoteWorkerOptions,
}

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
