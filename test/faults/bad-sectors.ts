import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKPOINT_FILE } from '../../logger-transport/checkpoint-file.ts'
import { QUARANTINE, segmentName, WRITER_FILE } from '../../logger-transport/protocol.ts'
import { logPlaces, memberOf } from '../stack-parts.ts'
import { type Fault, startRequests, until } from './fault.ts'
import { plantWriter } from './foreign-writers.ts'
import { logUrl, startLoggingStack } from './logging-stack.ts'
import { deliveredNumbers, upTo } from './written-lines.ts'

/**
 * A library in front of libc: each read of a regular file with the sticky bit fails with EIO, as on a bad sector. The file
 * can be opened, listed and renamed.
 */
const LIBRARY = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_bad(int fd) {
  struct stat file;
  return fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && (file.st_mode & S_ISVTX);
}

#define READ(NAME, DECLARED, PASSED) \\
  ssize_t NAME DECLARED { \\
    static ssize_t (*next) DECLARED; \\
    if (!next) next = dlsym(RTLD_NEXT, #NAME); \\
    if (is_bad(fd)) { errno = EIO; return -1; } \\
    return next PASSED; \\
  }
READ(read, (int fd, void *memory, size_t bytes), (fd, memory, bytes))
READ(pread, (int fd, void *memory, size_t bytes, off_t at), (fd, memory, bytes, at))
READ(pread64, (int fd, void *memory, size_t bytes, off64_t at), (fd, memory, bytes, at))
`

const BAD_SECTOR = 0o1600
const spoil = (file: string) => chmodSync(file, BAD_SECTOR)

const hasCompiler = () => process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0

/** Files that can be opened, and whose reads fail. */
export const badSectors: Fault = {
  name: 'bad sectors below a checkpoint, a segment and a writer file',
  seconds: 10,
  needs: () => (hasCompiler() ? undefined : 'reads are made to fail by a library, which needs Linux and cc'),
  async run(directory) {
    const source = join(directory, 'bad-sectors.c')
    const library = join(directory, 'bad-sectors.so')
    writeFileSync(source, LIBRARY)
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'])
    const { logDir } = logPlaces(directory)
    mkdirSync(logDir)
    writeFileSync(join(logDir, CHECKPOINT_FILE), '{}')
    spoil(join(logDir, CHECKPOINT_FILE))
    process.env.LD_PRELOAD = library
    const stack = await startLoggingStack(directory)
    delete process.env.LD_PRELOAD
    const requests = startRequests(logUrl(stack), 1)
    const files = [segmentName(1), WRITER_FILE]
    for (const file of files) plantWriter(logDir, `bad-${file}`, writer => spoil(join(writer, file)))
    const setAside = () => readdirSync(join(logDir, QUARANTINE)).length
    await until(() => setAside() > files.length)
    await until(() => !readdirSync(logDir).some(name => name.startsWith('bad-')))
    const { good, failed } = await requests.stop()
    assert.equal(memberOf(stack, 'logger-transport').restarts, 0)
    await stack.stop()
    assert.equal(failed, 0, `${failed} requests failed`)
    const numbers = deliveredNumbers(directory)
    assert.deepEqual(
      numbers.filter(number => number > 0),
      upTo(good * 10),
    )
    // One of the four lines was in the bad segment.
    assert.equal(numbers.length - good * 10, 3, 'lines of the writers with bad sectors')
    return `${setAside()} files set aside, the 3 lines beside them delivered; ${good} requests, none failed, all their lines delivered`
  },
}
