import { idTokenEffects, webhookEffects } from '../../../emulator/faults/effect-names.js'
import { injectedRefusals } from '../../../emulator/serving/injected-refusal.js'
import type { Option } from '../parts/field.js'

const effects: Record<string, Record<string, string>> = { webhook: webhookEffects, id_token: idTokenEffects }

/** The named effects of a surface as options; of requests to `/v0` and OAuth for any other. */
export const effectsOf = (surface: string): Option[] =>
  Object.entries(effects[surface] ?? injectedRefusals).map(([value, means]) => ({ value, label: `${value}: ${means}` }))
