import type { ComponentType } from 'preact'
import { ActivityView } from './activity/activity-view.js'
import { ClockView } from './clock/clock-view.js'
import { DeliveriesView } from './deliveries/deliveries-view.js'
import { FaultsView } from './faults/faults-view.js'
import { FindingsView } from './findings/findings-view.js'
import { InstallationsView } from './installations/installations-view.js'
import { OrganizationsView } from './organizations/organizations-view.js'
import { SignInView } from './sign-in/sign-in-view.js'
import { WorldView } from './world/world-view.js'

interface View {
  /** In the address. */
  name: string
  title: string
  /** After `g`, the key that goes there. */
  key: string
  View: ComponentType
}

/** Every view, in the order of the navigation. console: Views */
export const views: View[] = [
  { name: 'activity', title: 'Activity', key: 'a', View: ActivityView },
  { name: 'deliveries', title: 'Deliveries', key: 'd', View: DeliveriesView },
  { name: 'installations', title: 'Installations', key: 'i', View: InstallationsView },
  { name: 'organizations', title: 'Organizations', key: 'o', View: OrganizationsView },
  { name: 'sign-in', title: 'Sign-in', key: 's', View: SignInView },
  { name: 'faults', title: 'Faults', key: 'f', View: FaultsView },
  { name: 'clock', title: 'Clock', key: 'c', View: ClockView },
  { name: 'findings', title: 'Findings', key: 'n', View: FindingsView },
  { name: 'world', title: 'World', key: 'w', View: WorldView },
]
