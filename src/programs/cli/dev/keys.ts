import type { InjectedRefusal } from '../../../emulator/serving/injected-refusal.js'
import { pluralize } from '../../reports/pluralize.js'
import { openConsole } from '../processes/browser.js'
import type { Session } from './session.js'

export interface KeyBoard extends Session {
  audit(): void
  report(error: unknown): void
  quit(): void
}

const AN_HOUR = '1h'

/** The keys of `mockademy dev`. Each prints the command that does the same. dev: "On a terminal" */
const keys: Record<string, { describe: string; press(board: KeyBoard): Promise<void> | void }> = {
  o: {
    describe: 'open the console',
    async press(board) {
      show(board, 'open')
      board.print(await openConsole(board.url))
    },
  },
  i: {
    describe: 'install the app, or uninstall it',
    async press(board) {
      const { id, organization } = board
      const installed = await board.installation()
      show(board, `${installed ? 'uninstall' : 'install'} ${id} ${organization}`)
      if (!installed) return board.install()
      await board.call('uninstall', { params: { id: installed.id } })
      board.print(`uninstalled ${id} from ${organization}`)
    },
  },
  u: {
    describe: 'upgrade the app to its newest version',
    async press(board) {
      const { id, organization } = board
      const installed = await board.installation()
      if (!installed) return board.print(`${id} is not installed in ${organization}: i installs it`)
      show(board, `upgrade ${id} ${organization}`)
      return board.upgrade(installed)
    },
  },
  e: {
    describe: 'expire its access tokens',
    async press(board) {
      const { id: app, organization } = board
      show(board, `tokens expire --app ${app} --organization ${organization}`)
      const { access } = await board.call('expireTokens', { body: { app, ...(organization && { organization }) } })
      board.print(`expired ${pluralize(access, 'access token')}`)
    },
  },
  w: {
    describe: 'send the last webhook again',
    async press(board) {
      const installations = await board.call('listInstallations', { query: { app: board.id } })
      const ids = installations.map(({ id }) => id)
      const last = (await board.call('listDeliveries')).findLast(({ installation }) => ids.includes(installation))
      if (!last) return board.print('no webhook has been sent yet: i installs the app')
      show(board, `deliveries redeliver ${last.id}`)
      const { event, attempts } = await board.call('redeliver', { params: { id: last.id } })
      const { status, error } = attempts.at(-1) ?? {}
      if (error === null) board.print(`sent ${event.type} again: acknowledged with ${status}`)
    },
  },
  h: {
    describe: 'advance the clock by an hour',
    async press(board) {
      show(board, `clock advance ${AN_HOUR}`)
      const { now } = await board.call('advanceClock', { body: { by: AN_HOUR } })
      board.print(`the clock shows ${now}`)
    },
  },
  f: {
    describe: 'make the next request fail',
    press(board) {
      const choices = faults.map((effect, index) => `${index + 1} ${effect}`)
      board.print(['the next request:', ...choices].join('  '))
    },
  },
  a: {
    describe: 'audit the app',
    press(board) {
      show(board, 'audit')
      board.audit()
    },
  },
  r: {
    describe: 'reset the world; the app and its secrets stay',
    async press(board) {
      show(board, 'reset')
      await board.call('reset')
      // The start may have an earlier manifest, which the next key must not install.
      await board.register()
      const installed = await board.installation()
      board.print(`reset${installed ? '' : `: ${board.id} is not installed, i installs it`}`)
    },
  },
  '?': {
    describe: 'show the keys',
    press(board) {
      for (const [key, { describe }] of Object.entries(keys)) board.print(`${key} ${describe}`)
    },
  },
  q: { describe: 'end', press: (board) => board.quit() },
}

/** The choices of `f`, each by its number from 1. */
const faults = ['rate_limited', 'unavailable', 'token_expired', 'token_revoked', 'insufficient_scope'] as const

const CTRL_C = '\x03'

/** Carries out keys as they are pressed, one after another. @returns what stops that. */
export function listenToKeys(board: KeyBoard): () => void {
  const { stdin } = process
  let choosing = false
  let done: Promise<void> = Promise.resolve()
  const press = async (key: string) => {
    const effect = choosing ? faults[Number(key) - 1] : undefined
    choosing = key === 'f'
    try {
      await (effect === undefined ? keys[key]?.press(board) : failNext(board, effect))
    } catch (error) {
      board.report(error)
    }
  }
  const listen = (text: string) => {
    for (const key of text) {
      if (key === CTRL_C || key === 'q') return board.quit()
      done = done.then(() => press(key))
    }
  }
  // A prompt before has paused it.
  stdin.setRawMode(true).setEncoding('utf8').on('data', listen).resume()
  return () => {
    stdin.off('data', listen)
    stdin.setRawMode(false).pause()
  }
}

async function failNext(board: KeyBoard, effect: InjectedRefusal): Promise<void> {
  show(board, `faults add ${effect} --surface api --app ${board.id} --times 1`)
  await board.call('addFault', { body: { match: { surface: 'api', app: board.id }, effect, times: 1 } })
  board.print(`the next request of ${board.id} to /v0 fails: ${effect}`)
}

const show = ({ print, reach }: KeyBoard, words: string) => print(`> mockademy ${words}${reach}`)
