import { natsServerPath } from '../../../stack/nats.ts'
import type { Fault } from '../fault.ts'
import { breakWorkers } from './random-faults.ts'
import { slowOne } from './slow-worker.ts'
import { stopWorker } from './worker-away.ts'

const needs = () => (natsServerPath ? undefined : 'nats-server is not installed')

/** Workers on machines of their own. */
export const clusterFaults: readonly Fault[] = [
  {
    name: 'the only worker is away',
    seconds: 15,
    quickSeconds: 15,
    company: 'many',
    needs,
    run: stopWorker,
  },
  {
    name: 'workers 1 ms away are killed, partitioned and added at random, and NATS is killed twice',
    seconds: 120,
    quickSeconds: 20,
    needs,
    run: breakWorkers,
  },
  {
    name: 'one of three workers at a quarter of its speed gets less work: p99 stays below 1.5 times that of three equal ones',
    seconds: 20,
    quickSeconds: 4,
    company: 'none',
    needs,
    run: slowOne,
  },
]
