import type { Socket } from 'node:net'
import { changeInside, createReplacing } from './change-inside.ts'
import { wrapCalls } from './wrap-calls.ts'

/** The functions whose text is sent too. */
interface Others {
  readonly createReplacing: typeof createReplacing
  readonly wrapCalls: typeof wrapCalls
  readonly changeInside: typeof changeInside
}

/**
 * The code that runs inside of the watched threads. Its text is sent through the inspector, so it uses nothing from
 * outside of the function. `load` loads a module of Node.js.
 *
 * - It counts the requests that the thread's HTTP servers receive, and what the sockets of its servers read otherwise.
 * - It wraps calls that profiles do not show, and keeps an older V8 from inlining functions while it is profiled.
 * - It burns a known amount of time on purpose, the control: the profile should see all of it. A random time goes before it: each
 *   sample wakes a loop that waits, so a timer fires about one interval after a sample.
 *
 * `stop` takes all of this back. If the watching process has been killed, nobody calls `stop` or `stay`, and this stops by
 * itself. `opened` tells whether the inspector was opened to watch, so that its port is then closed too.
 */
function watchInside(load: typeof require, opened: boolean, others: Others) {
  const { subscribe, unsubscribe } = load('node:diagnostics_channel')
  const { Socket } = load('node:net')
  const { readFileSync } = load('node:fs')
  const { performance } = load('node:perf_hooks')
  const { setFlagsFromString } = load('node:v8')
  const inspector = load('node:inspector')
  // Node.js 22 does not tell about those of HTTP/2.
  const STARTED = ['http.server.request.start', 'http2.server.stream.start']
  const wrapped = others.createReplacing()
  const changed = others.createReplacing()
  const change = others.changeInside(load, changed)
  let isWrapped = false
  let requests = 0
  const count = () => {
    requests++
  }
  for (const channel of STARTED) subscribe(channel, count)

  // HTTP's parser reads from the handle of a socket, and not through this method.
  let messages = 0
  const { push: realPush } = Socket.prototype
  const counting = {
    push(this: Socket & { server?: object }, chunk: unknown, encoding: never) {
      if (this.server && chunk !== null) messages++
      return realPush.call(this, chunk, encoding)
    },
  }

  /** Before version 14, V8's profiler counts inlined functions for who called them, whatever it knows of the code. */
  const [v8Major = 0] = process.versions.v8.split('.').map(Number)
  // To begin and end coverage would end a coverage that the service collects.
  const mayForget = v8Major < 14 && process.env.NODE_V8_COVERAGE === undefined
  let isInlining = true
  function setInlining(isOn: boolean) {
    if (isOn === isInlining || !mayForget) return false
    isInlining = isOn
    for (const kind of ['turbo', 'maglev']) setFlagsFromString(`--${isOn ? '' : 'no-'}${kind}-inlining`)
    // V8 throws away all optimized code when precise coverage begins (Coverage::SelectMode).
    const session = new inspector.Session()
    session.connect()
    session.post('Profiler.enable')
    session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false })
    session.post('Profiler.stopPreciseCoverage')
    session.disconnect()
    return true
  }

  // The numbers of /proc/PID/schedstat: time on a core, and time in which the thread waited for one, in nanoseconds.
  const readSchedule = (): number[] => {
    try {
      return readFileSync('/proc/thread-self/schedstat', 'utf8')
        .split(' ')
        .map((nanos: string) => Number(nanos) / 1000)
    } catch {
      return []
    }
  }
  const readCpuMicros = () => {
    if (!process.threadCpuUsage) return readSchedule()[0] ?? 0
    const { user, system } = process.threadCpuUsage()
    return user + system
  }

  // The control runs in turns of its own, so that it is profiled as all other turns are.
  const [CONTROL_MS, CONTROL_INTERVAL_MS] = [1, 50]
  /** The interval of samples, in which the control begins at a random time. */
  const SCATTER_MS = 1.1
  let timer: NodeJS.Timeout | undefined
  let burnt = { controlMicros: 0, totalMicros: 0 }
  function scatter(durationMs: number) {
    const endsAtMs = performance.now() + durationMs
    while (performance.now() < endsAtMs);
  }
  // V8 inlines no generator. It loses the name of a function that it inlines between two profiles.
  function* control() {
    const endsAtMs = performance.now() + CONTROL_MS
    while (performance.now() < endsAtMs);
    yield
  }
  // If the thread loses its core meanwhile, the clock goes on, but no more than this is burnt.
  function burn() {
    const scatterMs = Math.random() * SCATTER_MS
    scatter(scatterMs)
    control().next()
    burnt.controlMicros += CONTROL_MS * 1000
    burnt.totalMicros += (scatterMs + CONTROL_MS) * 1000
  }

  /** Only seconds in which the event loop turns count: a call of `stay` may wait behind a long turn. */
  const STAY_SECONDS = 30
  let secondsLeft = STAY_SECONDS
  const countdown = setInterval(() => {
    if (--secondsLeft > 0) return
    inside.stop()
    if (opened) inside.closeInspectorSoon()
  }, 1000).unref()

  Socket.prototype.push = counting.push
  const inside = {
    /** The version of Node.js, and the path of the script that it runs. */
    facts: () => ({ version: process.version, script: process.argv[1] ?? '' }),
    wrap() {
      if (!isWrapped) others.wrapCalls(load, wrapped)
      isWrapped = true
    },
    ...change,
    /** Takes back what `begin` has changed. */
    end: () => changed.undo(),
    /** Counters of the thread. Its wait for a core is null if the system does not tell. */
    read: () => ({
      cpuMicros: readCpuMicros(),
      waitedMicros: readSchedule()[1] ?? null,
      atMs: performance.now() as number,
      requests,
      messages,
    }),
    startControl() {
      burnt = { controlMicros: 0, totalMicros: 0 }
      timer = setInterval(burn, CONTROL_INTERVAL_MS).unref()
    },
    stopControl() {
      clearInterval(timer)
      return burnt
    },
    /** Lets V8 inline functions, or not. @returns whether that changed, so that all code is optimized anew */
    setInlining,
    /** Puts off the time at which this stops by itself. */
    stay() {
      secondsLeft = STAY_SECONDS
    },
    stop() {
      clearInterval(countdown)
      clearInterval(timer)
      setInlining(true)
      for (const channel of STARTED) unsubscribe(channel, count)
      if (Socket.prototype.push === counting.push) Reflect.deleteProperty(Socket.prototype, 'push')
      wrapped.undo()
      changed.undo()
      isWrapped = false
    },
    /**
     * Closes the port of the inspector a little later. While a connection ends, closing the inspector can crash the
     * process (seen once in 121 times), so the connection has to be gone by then.
     */
    closeInspectorSoon() {
      setTimeout(() => setTimeout(() => inspector.close(), 100), 100)
    },
  }
  return inside
}

/** The functions that are called inside a watched thread. */
export type Inside = ReturnType<typeof watchInside>

/** The name of the script in profiles. */
export const INSIDE_URL = 'main-thread:inside'

/**
 * The expression that starts to watch, and whose value is a handle. The script has a name of its own: in functions that
 * V8 has inlined, profiles show no name that was given by a `sourceURL` comment, and the control would not be found.
 * @param opened whether the inspector was opened to watch
 */
export const insideExpression = (opened: boolean): string => `(load => {
  const { Script } = load('node:vm')
  const script = new Script(${JSON.stringify(`[${watchInside}, { createReplacing: ${createReplacing}, wrapCalls: ${wrapCalls}, changeInside: ${changeInside} }]`)}, { filename: ${JSON.stringify(INSIDE_URL)} })
  const [watchInside, others] = script.runInThisContext()
  return watchInside(load, ${opened}, others)
})(process.getBuiltinModule ?? require)`
