import { segments } from '@main-thread/logger-transport'
import pino from 'pino'

const options = { redact: ['req.headers.authorization'] }

export const createLogger = logDir => pino(options, segments({ directory: `${logDir}/segments` }))
