import pino from 'pino'

const options = { redact: ['req.headers.authorization'] }

export const createLogger = logDir => pino(options, pino.destination(`${logDir}/service.log`))
