/** Follows the advice on each service, and prints the results for docs/results. */
import { readEnvironment } from '../../loadtest/outcome/environment.ts'
import { advised, follow, installAdvised } from './advised.fixture.ts'

const environment = readEnvironment()
installAdvised()
const services = []
// A busy machine may fail a service once.
for (const each of advised) services.push(await follow(each).catch(() => follow(each)))
console.log(JSON.stringify({ schemaVersion: 1, kind: 'advised', environment, services }))
