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
    title: 'leaks no tokens, codes or secrets',
    severity: 'critical',
    needs: [],
    source: 'spec: §5.2.7; ASVS 5.0 14.2',
    expected: 'No token, code, id_token or secret in the headers, body or URLs of a response, or in a log line.',
    remedy:
      "Do not forward the platform's responses as they are, do not log the query or headers of requests, and redact errors.",
    place: 'last',
    run: leaks,
  },
]
