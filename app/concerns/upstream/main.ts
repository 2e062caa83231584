import type { CreateUpstream } from './contract.ts'
import { createMainClient } from './main-client.ts'

/** The main thread makes all calls, and passes the answers on to the threads that need them. */
export const createUpstream: CreateUpstream = createMainClient
