import { endingKind } from '../../foundation/store/kind.js'
import type { DeliveryRecord } from './delivery-record.js'

declare module '../../foundation/store/kind.js' {
  interface Kinds {
    deliveries: { record: DeliveryRecord; kind: typeof deliveryKind }
  }
}

/** Whether an attempt is still to come. */
export const isOpen = ({ state }: DeliveryRecord) => state === 'pending' || state === 'retrying'

export const deliveryKind = endingKind(
  async () => (await import('./delivery-record.js')).deliveryRecord,
  ({ ended_at }) => ended_at,
  {
    indexes: {
      installation: { key: (it) => it.installation },
      organization: { key: (it) => it.organization },
      app: { key: (it) => it.app },
      /** `<app>/<organization>`: those that wait there until after the next one. */
      held: { key: (it) => (isOpen(it) && it.due_at === null ? `${it.app}/${it.organization}` : null) },
      /** `all`: those with an attempt still to come. */
      open: { key: (it) => (isOpen(it) ? 'all' : null) },
    },
    fixture: 'plain',
    goesWith: { organizations: 'organization', apps: 'app' },
    counted: true,
  },
)
