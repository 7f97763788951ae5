import type { ComponentType } from 'preact'
import { hasView } from '../api/report.js'
import { ActivityView } from './activity.js'
import { AppsView } from './apps.js'
import { AuditView } from './audit.js'
import { CallsView } from './calls.js'
import { ClockView } from './clock.js'
import { CoverageView } from './coverage.js'
import { DeliveriesView, failingCount } from './deliveries.js'
import { isTrouble, journal } from './entries.js'
import { FaultsView } from './faults.js'
import { FindingsView, useUnseenErrors } from './findings.js'
import { InboxesView } from './inboxes.js'
import { InstallationsView } from './installations.js'
import { OrganizationsView } from './organizations.js'
import { RunView } from './run.js'
import { SignInView } from './sign-in.js'
import { SweepView } from './sweep.js'
import { WorldView } from './world.js'

interface View {
  title: string
  /** Name in the address: the title in lower case when left out. */
  name?: string
  /** The key that goes there after `g`. */
  key: string
  View: ComponentType
  /** Returns the number of failures in the view, shown beside its title: a hook. */
  useFailures?(): number
}

const all: View[] = [
  { title: 'Run', key: 'r', View: RunView },
  { title: 'Activity', key: 'a', View: ActivityView, useFailures: () => journal.items.value.filter(isTrouble).length },
  { title: 'Deliveries', key: 'd', View: DeliveriesView, useFailures: () => failingCount.value },
  { title: 'Inboxes', key: 'b', View: InboxesView },
  { title: 'Apps', key: 'p', View: AppsView },
  { title: 'Installations', key: 'i', View: InstallationsView },
  { title: 'Organizations', key: 'o', View: OrganizationsView },
  { title: 'Sign-in', key: 's', View: SignInView },
  { title: 'Faults', key: 'f', View: FaultsView },
  { title: 'Clock', key: 'c', View: ClockView },
  { title: 'Findings', key: 'n', View: FindingsView, useFailures: useUnseenErrors },
  { title: 'Coverage', key: 'v', View: CoverageView },
  { title: 'Audit', key: 'u', View: AuditView },
  { title: 'Sweep', key: 'e', View: SweepView },
  { title: 'World', key: 'w', View: WorldView },
  { name: 'calls', title: 'All calls', key: 'l', View: CallsView },
]

/** Every view that this page has, in the order of the navigation. console: Views */
export const views = all
  .map((view) => ({ name: view.title.toLowerCase(), ...view }))
  .filter(({ name }) => hasView(name))
