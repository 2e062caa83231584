import { natsServerPath } from '../../../stack/nats-server.ts'
import type { Fault } from '../fault.ts'
import { lackForNamespaces } from './network.ts'
import { breakWorkers } from './random-faults.ts'
import { slowOne } from './slow-worker.ts'
import { stopWorker } from './worker-away.ts'

const needsServer = () => (natsServerPath ? undefined : 'nats-server is not installed')
const needs = () => needsServer() ?? lackForNamespaces()

/** Workers on machines of their own. */
export const clusterFaults: readonly Fault[] = [
  {
    name: 'the only worker is away',
    seconds: 15,
    quickSeconds: 15,
    company: 'many',
    needs: needsServer,
    run: stopWorker,
  },
  {
    name: 'workers in namespaces, 1 ms apart, are killed, partitioned and added at random, and NATS is killed twice',
    seconds: 120,
    quickSeconds: 20,
    needs,
    run: breakWorkers,
  },
  {
    name: 'one of three workers at a quarter of its speed gets less work: p99 stays below 1.5 times that of three equal ones',
    seconds: 40,
    quickSeconds: 8,
    company: 'none',
    needs,
    run: slowOne,
  },
]
