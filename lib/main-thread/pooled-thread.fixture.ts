import { oddMessages } from '../threads/odd-messages.fixture.ts'
import { receiveSetup } from '../threads/thread-setup.ts'

/** A thread that says many things that no pool understands, and ends. */
const { data, port } = await receiveSetup<{ readonly count: number }>()
for (const message of oddMessages(data.count)) port.postMessage(message)
