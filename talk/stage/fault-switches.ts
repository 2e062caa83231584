import { FAULTS_PATH } from '../../app/server/faults/fault-routes.ts'
import type { ListedFault } from '../../app/server/faults/faults.ts'
import { faultHeaders } from '../../app/server/faults/token.ts'
import type { FaultSwitch } from '../../screen/stage-messages.ts'

/** A fault lasts this long unless it is switched off. */
const FAULT_SECONDS = 10

/** The fault switches of the app that serves, over its admin server. */
export class FaultSwitches {
  readonly #admin: () => string
  #list: readonly FaultSwitch[] = []

  constructor(admin: () => string) {
    this.#admin = admin
  }

  /** The switches as the app told them last. */
  get list(): readonly FaultSwitch[] {
    return this.#list
  }

  /** Asks the app for its switches; a flip ends all faults. */
  async refresh(): Promise<void> {
    await this.#ask('GET', FAULTS_PATH)
  }

  /**
   * Switches a fault on, or off if it is on.
   * @throws Error with the reason of the app when it refuses
   */
  async toggle(name: string): Promise<void> {
    await this.refresh()
    const known = this.#list.find(each => each.name === name)
    if (!known) throw new Error(`there is no fault ${JSON.stringify(name)}`)
    if (known.isOn) await this.#ask('DELETE', `${FAULTS_PATH}/${name}`)
    else await this.#ask('POST', `${FAULTS_PATH}/${name}?for=${FAULT_SECONDS}s`)
  }

  async #ask(method: string, path: string): Promise<void> {
    const answer = await fetch(this.#admin() + path, { method, headers: faultHeaders() })
    const body = await answer.json()
    if (!answer.ok)
      throw new Error((body as { detail?: string }).detail ?? `the app answered ${answer.status}`)
    this.#list = (body as ListedFault[]).map(({ name, help, remainingMs }) => ({
      name,
      help,
      isOn: remainingMs !== null,
    }))
  }
}
