import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const DASHBOARDS = join(import.meta.dirname, '../deploy/observe/grafana/dashboards')

export interface Dashboard {
  readonly uid: string
  readonly title: string
  readonly panels: readonly {
    readonly id: number
    readonly datasource: { readonly type: string; readonly uid: string }
    /** A query of Prometheus has an expression. */
    readonly targets: readonly { readonly refId: string; readonly expr?: string }[]
  }[]
}

/** The names of the dashboards' files. */
export const dashboardFiles: readonly string[] = readdirSync(DASHBOARDS)

export const readDashboard = (file: string): Dashboard =>
  JSON.parse(readFileSync(join(DASHBOARDS, file), 'utf8'))

export const readDashboards = (): Dashboard[] => dashboardFiles.map(readDashboard)
