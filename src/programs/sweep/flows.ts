import type { Check } from '../audit/checks/check.js'
import type { ActionName } from './actions.js'

interface Flow {
  /** Keys of the audit's file and parts of the manifest, beside `webhook`. */
  needs: Check['needs']
  steps: readonly ActionName[]
  /** Must hold in the end. */
  expects: ActionName
  /** The check of the audit that is about the flow without trouble, where the app acknowledges its installation. */
  check: string
  lastCheck?: string
}

/** Every flow; `needs` and `expects` are `probe` when left out. sweep: "Flows" */
export const flows = {
  install: { steps: ['install'], check: 'api.bearer' },
  refresh: {
    steps: ['install', 'probe', 'expire', 'probe', 'expire'],
    check: 'api.refreshes-once',
    lastCheck: 'api.rotation-kept',
  },
  burst: { steps: ['install', 'expire', 'burst'], check: 'api.stampede' },
  list: { needs: ['list'], steps: ['install', 'list'], expects: 'list', check: 'api.pages' },
  upgrade: { steps: ['install', 'probe', 'upgrade'], check: 'api.after-upgrade' },
  reinstall: { steps: ['install', 'probe', 'uninstall', 'install'], check: 'webhook.late-uninstall' },
  uninstall: { steps: ['install', 'probe', 'uninstall'], expects: 'not-installed', check: 'api.after-uninstall' },
  'sign-in': {
    needs: ['oauth.authorize', 'start', 'whoami'],
    steps: ['install', 'sign-in'],
    expects: 'sign-in',
    check: 'signin.works',
  },
  events: { needs: [], steps: ['install', 'event', 'event'], expects: 'acknowledged', check: 'webhook.unknown-event' },
} as const satisfies Record<string, Omit<Flow, 'needs' | 'expects'> & Partial<Flow>>

/** Name of a flow. */
export type FlowName = keyof typeof flows
export const flowNames = Object.keys(flows) as FlowName[]
export const flowOf = (name: FlowName): Flow => ({ needs: ['probe'], expects: 'probe', ...flows[name] })
