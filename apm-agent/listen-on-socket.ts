import { once } from 'node:events'
import { chmod, stat, unlink } from 'node:fs/promises'
import { connect, type Server } from 'node:net'
import { dirname } from 'node:path'
import { UserError } from '../lib/cli/user-error.ts'
import { ownPlace } from '../lib/os/own-place.ts'
import { makePrivateDirectory } from '../lib/os/private-directory.ts'

/**
 * Listens on a Unix socket to which only this user may connect. Its directory is made if it is missing.
 * @throws UserError when another process listens there, others may write to the directory, or the path cannot be used
 */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  makePrivateDirectory(dirname(path), '--apm-socket')
  await ownPlace({ path, name: 'apm-agent', flag: '--apm-socket' })
  try {
    await removeStale(path)
    // The socket gets its mode from the mask, so that other users cannot connect even for a moment.
    const mask = process.umask(0o177)
    try {
      server.listen(path)
      await once(server, 'listening')
    } finally {
      process.umask(mask)
    }
    await chmod(path, 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(`cannot listen on ${path} (${code}); choose another with --apm-socket`)
  }
}

/** Removes the socket of an apm-agent that has ended, but no other file. */
async function removeStale(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (!found) return
  if (!found.isSocket()) throw Object.assign(new Error(), { code: 'it exists and is no socket' })
  if (await isAlive(path)) throw Object.assign(new Error(), { code: 'EADDRINUSE' })
  await unlink(path)
}

function isAlive(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
