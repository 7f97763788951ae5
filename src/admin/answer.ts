import * as z from 'zod'
import { jsonBody, parse } from '../http/json-body.js'
import { invalid, Refusal } from '../http/refusal.js'
import { queryObject, type Request } from '../http/request.js'
import type { Response } from '../http/response.js'

export const ok = (body: object): Response => ({ status: 200, body })
export const created = (body: object): Response => ({ status: 201, body })

/** Lists are oldest first. control-api: preamble */
export const list = (data: unknown[]): Response => ok({ data })

/** A control call's body. Unknown fields are errors, and so is a body that is absent or empty. @throws Refusal */
export function bodyOf<S extends z.ZodType>(request: Request, schema: S): z.output<S> {
  const body = jsonBody(request)
  if (body === undefined) throw invalid([{ path: '', message: 'a JSON body is needed' }])
  return parse(schema, body)
}

/** A body that may be left out: absent reads as `{}`. */
export function optionalBodyOf<S extends z.ZodType>(request: Request, schema: S): z.output<S> {
  const body = jsonBody(request)
  return parse(schema, body === undefined ? {} : body)
}

/** A control call's query; an unknown parameter is an error. @throws Refusal */
export const queryOf = <S extends z.ZodType>(request: Request, schema: S): z.output<S> =>
  parse(schema, queryObject(request.query))

/** The refusal of a name that does not exist, saying which exist. control-api: preamble */
export function noSuch(what: string, name: string, existing: Iterable<string>): Refusal {
  const names = [...existing]
  const shown = names.length > 20 ? `${names.slice(0, 20).join(', ')} and ${names.length - 20} more` : names.join(', ')
  return new Refusal('not_found', { message: `There is no ${what} "${name}"; there are: ${shown || 'none'}` })
}

/** An object schema for control calls: unknown fields are errors. */
export const strict = z.strictObject
