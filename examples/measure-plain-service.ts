/** Measures what each offload brings the plain service, as its users install it, and prints the results for docs/results. */
import { rmSync } from 'node:fs'
import { readEnvironment } from '../loadtest/outcome/environment.ts'
import { installPlainService } from './install-plain-service.ts'

const BLOCKS = 6

const environment = readEnvironment()
const { project, npm } = installPlainService()
try {
  const words = ['--blocks', `${BLOCKS}`, '--json']
  const offloads = JSON.parse(npm('run', '--silent', 'measure', '--', ...words))
  console.log(
    JSON.stringify({ schemaVersion: 1, kind: 'plain-service', environment, blocks: BLOCKS, offloads }),
  )
} finally {
  rmSync(project, { recursive: true })
}
