import type { PoolValues } from '../../../workers/options.ts'
import type { ComputeOptions, CreateCompute } from './contract.ts'
import type { NatsValues } from './nats-options.ts'

/** The options of an implementation with a pool, here or on other machines. */
export type PoolOptions = ComputeOptions & PoolValues & Partial<NatsValues>

export type CreatePool = CreateCompute<PoolValues & Partial<NatsValues>>
