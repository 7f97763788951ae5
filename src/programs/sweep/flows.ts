/** Steps of flows, and what flows end with. */
const actionNames = [
  ...(['install', 'uninstall', 'upgrade', 'event', 'expire', 'probe', 'burst'] as const),
  ...(['not-installed', 'list', 'sign-in', 'acknowledged'] as const),
] as const
export type ActionName = (typeof actionNames)[number]

interface Flow {
  /** Keys of the audit's file; `events` is the manifest's. */
  needs: readonly ('probe' | 'list' | 'start' | 'whoami' | 'events')[]
  steps: readonly ActionName[]
  /** Must hold in the end. */
  expects: ActionName
  /** The check of the audit that is about the flow without trouble, where the app acknowledges its installation. */
  check: string
}

/** sweep: "Flows" */
export const flows = {
  install: { needs: ['probe'], steps: ['install'], expects: 'probe', check: 'api.bearer' },
  refresh: {
    needs: ['probe'],
    steps: ['install', 'probe', 'expire', 'probe', 'expire'],
    expects: 'probe',
    check: 'api.refreshes-once',
  },
  burst: { needs: ['probe'], steps: ['install', 'expire', 'burst'], expects: 'probe', check: 'api.stampede' },
  list: { needs: ['list'], steps: ['install', 'list'], expects: 'list', check: 'api.pages' },
  upgrade: { needs: ['probe'], steps: ['install', 'probe', 'upgrade'], expects: 'probe', check: 'api.after-upgrade' },
  reinstall: {
    needs: ['probe'],
    steps: ['install', 'probe', 'uninstall', 'install'],
    expects: 'probe',
    check: 'webhook.late-uninstall',
  },
  uninstall: {
    needs: ['probe'],
    steps: ['install', 'probe', 'uninstall'],
    expects: 'not-installed',
    check: 'api.after-uninstall',
  },
  'sign-in': { needs: ['start', 'whoami'], steps: ['install', 'sign-in'], expects: 'sign-in', check: 'signin.works' },
  events: {
    needs: ['events'],
    steps: ['install', 'event', 'event'],
    expects: 'acknowledged',
    check: 'webhook.unknown-event',
  },
} as const satisfies Record<string, Flow>

export type FlowName = keyof typeof flows
export const flowNames = Object.keys(flows) as FlowName[]
export const flowOf = (name: FlowName): Flow => flows[name]
