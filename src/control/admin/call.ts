import * as z from 'zod'
import type { ParamsOf } from '../../emulator/serving/surface.js'
import type { World } from '../../emulator/world/world.js'
import type { Warning } from '../../foundation/schema/issue.js'

/** The serializable part of a control call. `call-table.ts` has it for every call, so that clients load no schemas. */
export interface CallOutline {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path with `:slug` for a name. The client takes the names as arguments, in their order. */
  path: string
  summary: string
  /** Status of success; 200 when left out. */
  status?: number
  /** The response is `{ data: [ … ] }`, and its schema that of an item. The client returns the array. */
  list?: true
  /** The call needs no admin token. */
  open?: true
  /** It deletes or replaces something, as every PUT and DELETE does. */
  loses?: boolean
  /** The body may be left out: each of its fields has a default. */
  bodyOptional?: true
  /** The field of the body that the client takes as an argument, before the others; the whole body when left out. */
  argument?: string
  /** The command that makes this call alone. Commands with code of their own are in `programs/cli/commands`. */
  command?: CallCommand
}

/** A command made of the table: its operands fill the names in the path, its flags are the fields of query or body. */
export interface CallCommand {
  /** Usage: `tokens mint <app> <organization>`. Operands beyond the names in the path are fields. */
  line: string
  example?: string
  /** The columns that are printed of the response; `json`: all of it, as JSON. Every field when left out. */
  shows?: Column[] | 'json'
}

/** A dotted path, or a heading with one. `-1` is the last item of an array. */
export type Column = string | [heading: string, path: string]

/** A handler's view of a request: its parts as the schemas of the call read them. */
interface CallInput<Path extends string, Found, Query, Body, Unchecked> {
  params: Record<ParamsOf<Path>, string>
  found: Found
  query: OutputOf<Query>
  body: [NonNullable<Unchecked>] extends [never] ? OutputOf<Body> : unknown
  /** Aborts when the client disconnects before the response, or the emulator closes. */
  signal: AbortSignal
  /** Adds a warning to the request's entry in the journal. */
  warn(warning: Warning): void
}

/** The input of a schema; undefined without one. */
export type InputOf<S> = [NonNullable<S>] extends [never] ? undefined : z.input<NonNullable<S> & z.ZodType>
type OutputOf<S> = [NonNullable<S>] extends [never] ? undefined : z.output<NonNullable<S> & z.ZodType>
export type ResultOf<Response extends z.ZodType, List> = true extends List ? z.input<Response>[] : z.input<Response>

/** A control call: route, OpenAPI document, typed client, tool of `mcp` and often a command are made of it. */
export interface Call extends CallOutline {
  /** Its chapter: `control-api: Clock`. */
  source: string
  /** Advice beside the summary, in the OpenAPI document and for agents. */
  note?: string
  /** Unknown fields of query and body are rejected. control-api: rule 3 */
  query?: z.ZodObject
  body?: z.ZodType
  /** The schema of the body where it depends on a setting; `body` when left out. */
  bodyIn?: (world: World) => z.ZodType
  /** Noun for the body, which the handler gets unread. */
  uncheckedBody?: string
  response: z.ZodType
  /** Finds what the path names, before query and body are validated. wire: §2 "order of checks". @throws Refusal 404 */
  find?: (world: World, params: never) => unknown
  /** Alternative representations of a list, by the query parameter `format`. The client's types omit them. */
  formats?: Record<string, (world: World, items: never) => object>
  /** @returns the response; for a list, its items. @throws Refusal */
  handler(world: World, input: never): unknown
}

/** The members of a call whose types follow from its schemas. */
type Inferred = 'query' | 'body' | 'response' | 'list' | 'argument' | 'uncheckedBody' | 'find' | 'handler'

/**
 * Returns a function that declares a call of a chapter of control-api, and checks its handler against its schemas:
 * `call('GET', '/_admin/clock', {…})`.
 */
export const chapter =
  (title: string) =>
  <
    Path extends string,
    Response extends z.ZodType,
    Found = undefined,
    Query extends z.ZodObject | undefined = undefined,
    Body extends z.ZodType | undefined = undefined,
    List extends true | undefined = undefined,
    Argument extends string | undefined = undefined,
    Unchecked extends string | undefined = undefined,
  >(
    method: CallOutline['method'],
    path: Path,
    entry: Omit<Call, 'method' | 'path' | 'source' | Inferred> & {
      query?: Query
      body?: Body
      response: Response
      list?: List
      argument?: Argument
      uncheckedBody?: Unchecked
      find?: (world: World, params: Record<ParamsOf<Path>, string>) => Found
      handler(
        world: World,
        input: CallInput<Path, Found, Query, Body, Unchecked>,
      ): ResultOf<Response, List> | Promise<ResultOf<Response, List>>
    },
  ) => {
    const call = { ...entry, method, path, source: `control-api: ${title}` }
    return call as typeof call & { query: Query; body: Body }
  }

/** Meanings of the names in paths, by the segment before them. */
export const nameMeanings: Record<string, string> = {
  snapshots: 'Name of a snapshot',
  organizations: 'Slug of an organization',
  members: 'Id or email of a user',
  users: 'Id or email of a user',
  apps: 'Manifest id or client id of an app',
  installations: 'Id of an installation',
  faults: 'Id of a fault',
  sandboxes: 'Id of a sandbox',
  reports: '`audit` or `sweep`',
  deliveries: 'Id of a delivery',
  inboxes: 'Any name; an inbox exists as soon as it is used',
}

/** A name of something that may exist: a slug, an id, an email. */
export const name = z.string().min(1)

/** A whole number in a query, in digits only: `Number` reads 0x10 and 1e2 too. */
export const wholeNumber = (range: z.ZodInt, error = 'must be a whole number in digits, such as 100') =>
  z.preprocess((given: number | string, context) => {
    if (/^-?\d+$/.test(String(given))) return Number(given)
    context.addIssue(error)
    return z.NEVER
  }, range)

/** An object that has a name and a description of its own in the OpenAPI document and the public types. */
export const shape = <S extends z.ZodRawShape>(id: string, description: string, fields: S) =>
  z.object(fields).meta({ id, description })

/** Returns the fields of `record` that `schema` has: a record is not its wire shape. */
export const project = <S extends z.ZodRawShape>(schema: z.ZodObject<S>, record: z.input<z.ZodObject<S>>) =>
  Object.fromEntries(
    Object.keys(schema.shape).map((key) => [key, (record as Record<string, unknown>)[key]]),
  ) as z.input<z.ZodObject<S>>
