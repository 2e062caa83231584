import { choice, text, toggle } from '../../lib/cli/options.ts'
import { lengths } from './script.ts'

export const talkOptions = {
  minutes: choice({
    choices: lengths,
    default: '40',
    help: 'length of the talk; shorter ones leave parts out',
  }),
  rehearse: toggle({ help: 'show the time that is left for each part, and for the talk' }),
  check: toggle({ help: 'look whether this machine is ready for the talk; exit code 1 if it is not' }),
  stageUrl: text({
    placeholder: 'URL',
    default: 'http://127.0.0.1:4317/',
    help: 'address of the stage, which some slides show; with its # and token, keys work there',
  }),
  out: text({ placeholder: 'FILE', help: 'file of the deck (default: talk/deck/dist/talk.html)' }),
} as const
