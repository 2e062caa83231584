import { drawExponential, seededRandom } from '../../../lib/random.ts'
import type { Agenda } from './agenda.ts'

/** How long the host of a virtual machine takes a core at a time, in the mean. This is an assumption: a tick of the host. */
const STALL_MICROS = 4000

/**
 * Takes cores away at random moments and for random times, both exponential, as the host of a virtual machine does.
 * @param share of the time of each core; 0 for none
 * @param seed of the moments and times; cores that stall independently of each other have different ones
 * @param takeAway the first argument is a core, the second for how long it is away
 */
export function startStalls<Core>(
  agenda: Agenda,
  cores: readonly Core[],
  share: number,
  seed: number,
  takeAway: (core: Core, micros: number) => void,
): void {
  if (share === 0) return
  const freeMicros = (STALL_MICROS * (1 - share)) / share
  const random = seededRandom(seed)
  const draw = (meanMicros: number) => drawExponential(random) * meanMicros
  const leave = (core: Core) =>
    agenda.after(draw(freeMicros), () => {
      const micros = draw(STALL_MICROS)
      takeAway(core, micros)
      agenda.after(micros, () => leave(core))
    })
  cores.forEach(leave)
}
