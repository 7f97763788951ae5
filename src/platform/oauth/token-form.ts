import { contentCodingIssue, contentTypeIssue } from '../../foundation/http/content-type.js'
import { jsonObjectIn } from '../../foundation/http/json-or-text.js'
import { refuseTooLarge } from '../../foundation/http/refusal.js'
import { grouped, type Request } from '../../foundation/http/request.js'
import { didYouMean } from '../../foundation/schema/did-you-mean.js'
import { MAX_ISSUES, type Warning } from '../../foundation/schema/issue.js'
import { OAuthRefusal } from './oauth-error.js'

/** wire: §6 "token endpoint" */
const MAX_PARAMETERS = 1000

const known = [
  ...['grant_type', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope'],
  ...['client_id', 'client_secret'],
]

/** Lists the parameters that are ignored, as warnings for the journal: unknown ones, and all in the query. */
export function ignoredInToken(request: Pick<Request, 'body' | 'headers' | 'query'>): Warning[] {
  const isForm = contentTypeIssue('form', request) === undefined
  const text = isForm ? request.body.toString('utf8') : ''
  if (text.startsWith('{') && jsonObjectIn(text)) {
    return [
      { code: 'json_as_form', path: 'Content-Type', message: 'It promises a form, but the body is JSON: send a form' },
    ]
  }
  const sent = [...new Set(new URLSearchParams(text).keys())]
  const unknown = sent.filter((name) => !known.includes(name))
  const inQuery = new Set(request.query.keys())
  return [...unknown, ...inQuery].slice(0, MAX_ISSUES).map((path) => {
    const isMisplaced = inQuery.has(path) && known.includes(path)
    const message = isMisplaced
      ? 'This parameter is in the query, where it was ignored: send it in the body'
      : `This parameter was ignored${didYouMean(path, known)}`
    return { code: 'ignored_parameter', path, message }
  })
}

/** The parameters of a token request. */
export type Form = ReturnType<typeof readForm>

/**
 * Reads the body of a token request.
 * @throws Refusal 413 over the surface's limit; OAuthRefusal `invalid_request` for what is not a form, is compressed, or
 *   has a parameter twice. wire: §6 "token endpoint", RFC 6749 §3.2
 */
export function readForm(request: Pick<Request, 'body' | 'exceededLimit' | 'headers'>) {
  refuseTooLarge(request)
  const codingIssue = request.body.length > 0 ? contentCodingIssue(request) : undefined
  if (codingIssue !== undefined) throw new OAuthRefusal('invalid_request', codingIssue)
  const reason = contentTypeIssue('form', request)
  if (reason !== undefined) {
    throw new OAuthRefusal('invalid_request', 'The body must be application/x-www-form-urlencoded in UTF-8', reason)
  }
  const parameters = new URLSearchParams(request.body.toString('utf8'))
  if (parameters.size > MAX_PARAMETERS) {
    throw new OAuthRefusal('invalid_request', `The body has more than ${MAX_PARAMETERS} parameters`)
  }
  const groups = grouped(parameters)
  for (const [name, values] of groups) {
    if (values.length > 1) throw new OAuthRefusal('invalid_request', `The parameter ${name} is given more than once`)
  }
  const get = (name: string) => groups.get(name)?.[0] || undefined
  return {
    /** Undefined when it is absent or empty, which is the same. RFC 6749 §3.2 */
    get,
    /** @throws OAuthRefusal `invalid_request` */
    need(name: string): string {
      const value = get(name)
      if (value === undefined) throw new OAuthRefusal('invalid_request', `The parameter ${name} is missing`)
      return value
    },
  }
}
