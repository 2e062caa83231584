import type { Extra, ExtraContext } from '../extra.ts'
import { FAULTS_PATH, startFaults } from './fault-routes.ts'

export function createExtra({ config, ...targets }: ExtraContext): Extra | undefined {
  if (!config.faults) return undefined
  const faults = startFaults(targets, config.faultToken)
  return {
    admin: { path: FAULTS_PATH, answer: faults.answer },
    readFaults: faults.readPulse,
    listening: ({ admin }) => faults.publish(config.apmSocket, admin as string),
    stopping: faults.close,
  }
}
