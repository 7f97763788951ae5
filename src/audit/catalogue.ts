import { apiAndTokens } from './chapters/api-and-tokens.js'
import { signIn } from './chapters/sign-in.js'
import { webhooks } from './chapters/webhooks.js'
import type { Check } from './check.js'
import { leaks } from './checks/leaks.js'

/** Every check, in the order in which results are shown. audit: "Catalogue" */
export const catalogue: readonly Check[] = [
  ...webhooks,
  ...apiAndTokens,
  ...signIn,
  {
    id: 'leaks',
    title: 'keeps tokens, codes and secrets to itself',
    severity: 'critical',
    needs: [],
    source: 'spec: §5.2.7; ASVS 5.0 14.2',
    expected: 'No token, code, id_token or secret in a body, a header, a URL or a line of a log.',
    remedy:
      "Never pass the platform's answers on whole, never log requests with their query or headers, redact errors.",
    place: 'last',
    run: leaks,
  },
]
