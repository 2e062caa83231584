import { readThreadId } from '../lib/os/core-time.ts'
import { lowerPriority } from '../lib/os/lower-priority.ts'
import { receiveSetup } from '../lib/threads/thread-setup.ts'
import { partsAnswerer, type Tell } from './answer-parts.ts'
import { loadComponents } from './execute.ts'
import type { PartThreadData } from './protocol.ts'

/** A render thread for the components of any module. */
const { data, port } = await receiveSetup<PartThreadData>()
const { partsFile, priority, ...marks } = data
const components = await loadComponents(partsFile)
// The priority is lowered after loading, for the reason given in workers/thread.ts.
lowerPriority(priority)

const tell: Tell = (message, transfer) => port.postMessage(message, transfer)
port.on('message', partsAnswerer(components, marks, tell))
tell({ kind: 'ready', osThreadId: readThreadId() }, [])
