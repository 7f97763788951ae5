import type { ComponentType } from 'preact'
import { hasView } from '../api/report.js'
import { ActivityView } from './activity.js'
import { AppsView } from './apps.js'
import { AuditView } from './audit.js'
import { CallsView } from './calls.js'
import { ClockView } from './clock.js'
import { CoverageView } from './coverage.js'
import { DeliveriesView, failingCount } from './deliveries.js'
import { troubleCount } from './entries.js'
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
  /** In the address. */
  name: string
  title: string
  /** The key that goes there after `g`. */
  key: string
  View: ComponentType
  /** Returns the number of failures in the view, shown beside its title: a hook. */
  useFailures?(): number
}

/** Every view, in the order of the navigation. console: Views */
export const views: View[] = [
  { name: 'run', title: 'Run', key: 'r', View: RunView },
  { name: 'activity', title: 'Activity', key: 'a', View: ActivityView, useFailures: () => troubleCount.value },
  { name: 'deliveries', title: 'Deliveries', key: 'd', View: DeliveriesView, useFailures: () => failingCount.value },
  { name: 'inboxes', title: 'Inboxes', key: 'b', View: InboxesView },
  { name: 'apps', title: 'Apps', key: 'p', View: AppsView },
  { name: 'installations', title: 'Installations', key: 'i', View: InstallationsView },
  { name: 'organizations', title: 'Organizations', key: 'o', View: OrganizationsView },
  { name: 'sign-in', title: 'Sign-in', key: 's', View: SignInView },
  { name: 'faults', title: 'Faults', key: 'f', View: FaultsView },
  { name: 'clock', title: 'Clock', key: 'c', View: ClockView },
  { name: 'findings', title: 'Findings', key: 'n', View: FindingsView, useFailures: useUnseenErrors },
  { name: 'coverage', title: 'Coverage', key: 'v', View: CoverageView },
  { name: 'audit', title: 'Audit', key: 'u', View: AuditView },
  { name: 'sweep', title: 'Sweep', key: 'e', View: SweepView },
  { name: 'world', title: 'World', key: 'w', View: WorldView },
  { name: 'calls', title: 'All calls', key: 'l', View: CallsView },
].filter(({ name }) => hasView(name))
