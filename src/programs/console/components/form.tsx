import { signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { CallBody, CallName, CallResult, PathOf } from '../../../control/admin/calls.js'
import type { ParamsOf } from '../../../emulator/serving/surface.js'
import type { Issue } from '../../../foundation/schema/issue.js'
import { asProblem, type Call, callOf, outlineOf, Problem } from '../api/call.js'
import { controlDocument, documentProblem, formFieldsOf } from '../api/form-fields.js'
import { report } from '../api/report.js'
import { ControlCall, ProblemNote, usePerform, Waiting } from './action.js'
import { Button, findElement, focused } from './button.js'
import { closeDialog, Dialog, DialogActions, openDialog } from './dialog.js'
import { type Field, FieldInput, fieldOf, fieldValue, pathWithin, type Values } from './field.js'

type Keys<T> = T extends object ? keyof T & string : never
type Nested<T> = { [K in keyof T & string]: `${K}.${Keys<T[K]>}` }[keyof T & string]
/** A name in the call's path, a field of its body, or a field within one. */
type FieldName<N extends CallName> =
  | ParamsOf<PathOf<N>>
  | Keys<CallBody<N>>
  | 'body'
  | (CallBody<N> extends object ? Nested<CallBody<N>> : never)

/** Fields of a form in their order, each with what the page adds to its schema. */
export type FormFields<N extends CallName> = { [F in FieldName<N>]?: Partial<Field> }

export interface FormActionProps<N extends CallName> {
  label: string
  /** The accessible name of the button, where the label alone is not enough. */
  what?: string
  /** The title of the dialog, whose button has its first word unless `submit` is given; `what` or the label when left out. */
  title?: string
  submit?: string
  call: N
  /** Names in the path that need no field. */
  params?: Values
  /** The fields to show for the values so far; all of the schema's when left out. Fields that are not shown are not sent. */
  fields?: FormFields<N> | ((values: Values) => FormFields<N>)
  initial?: Values
  intro?: ComponentChildren
  /** Renders the result; the dialog closes when left out. */
  result?: (result: CallResult<N>) => ComponentChildren
  primary?: boolean
  /** Opens the form, with its initial values again whenever it changes: for links to the form. */
  open?: string | false
  onClose?: () => void
}

/** A button that opens the form of a control call. The form follows from the call's schema, and shows the call as it is filled in. A report has none. */
export const FormAction = <N extends CallName>(props: FormActionProps<N>) => (report ? null : <FormButton {...props} />)

function FormButton<N extends CallName>(props: FormActionProps<N>) {
  const start = () => {
    openDialog.value = <FormDialog key={props.call} {...props} />
  }
  useEffect(() => {
    if (props.open) start()
  }, [props.open])
  return (
    <span class="action">
      <Button
        calls={[outlineOf(props.call)]}
        look={props.primary ? '' : 'small quiet'}
        aria-label={props.what}
        onClick={start}
      >
        {props.label}
      </Button>
    </span>
  )
}

function FormDialog<N extends CallName>(props: FormActionProps<N>) {
  const { title = props.what ?? props.label, submit = title.split(' ')[0], initial = {}, intro, result } = props
  const values = useMemo(() => signal(initial), [props.open])
  const received = useSignal<CallResult<N> | undefined>(undefined)
  const { busy, problem, run } = usePerform()
  const fields = fieldsOf(props, values.value)
  const made = callFrom(props, fields, values.value)
  const issues = problem.value?.fields ?? []
  // Names in the path come before the body, which takes every other issue.
  const fieldOfIssue = ({ path }: Issue) => fields.find((field) => pathWithin(field, path) !== undefined)
  const issuesOf = (field: Field) =>
    issues
      .filter((issue) => fieldOfIssue(issue) === field)
      .map(({ path, message }) => ({ path: (field.kind === 'json' && pathWithin(field, path)) || '', message }))
  const isElsewhere = issues.length === 0 || !issues.every(fieldOfIssue)
  useEffect(() => {
    problem.value = undefined
  }, [props.open])
  useEffect(() => {
    if (problem.value) findElement('dialog [aria-invalid]')?.focus()
  }, [problem.value])
  useEffect(() => {
    // The element that had the focus was removed with the former content.
    if (!focused()) {
      findElement('dialog :is([tabindex], input, select, textarea, button)')?.focus()
    }
  }, [controlDocument.value, received.value])

  const onClose = () => {
    closeDialog()
    props.onClose?.()
  }
  const send = (event: Event) => {
    event.preventDefault()
    if (made instanceof Problem) {
      problem.value = made
      return
    }
    const own = openDialog.peek()
    void run(made, (done) => {
      if (result) received.value = done
      // Another dialog may be open by now.
      else if (openDialog.peek() === own) onClose()
    })
  }
  const notice =
    received.value !== undefined ? (
      <div role="status" tabIndex={-1}>
        {result?.(received.value)}
      </div>
    ) : (
      !controlDocument.value && <Waiting problem={documentProblem.value} />
    )
  if (notice) {
    return (
      <Dialog title={title} onClose={onClose}>
        {notice}
        <DialogActions onClose={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={send} noValidate>
        {intro}
        {fields.map((field) => (
          <FieldInput
            // The effect of one preset is a name, that of the next one may be JSON.
            key={`${props.open} ${field.name}`}
            field={field}
            value={values.value[field.name] ?? ''}
            issues={issuesOf(field)}
            onInput={(value) => {
              values.value = { ...values.value, [field.name]: value }
              problem.value = undefined
            }}
          />
        ))}
        <div class="foot">
          {!(made instanceof Problem) && <ControlCall calls={[made]} />}
          {isElsewhere && <ProblemNote problem={problem.value} />}
          <DialogActions onClose={onClose}>
            <Button type="submit" look="" disabled={busy.value}>
              {busy.value ? 'Sending…' : submit}
            </Button>
          </DialogActions>
        </div>
      </form>
    </Dialog>
  )
}

function fieldsOf<N extends CallName>({ call, params = {}, fields }: FormActionProps<N>, values: Values): Field[] {
  const schemas = formFieldsOf(call).filter(({ name }) => !(name in params))
  if (!fields) return schemas.map((schema) => fieldOf(schema))
  const shown: Record<string, Partial<Field> | undefined> = typeof fields === 'function' ? fields(values) : fields
  return Object.entries(shown).flatMap(([name, change]) => {
    const schema = schemas.find((each) => each.name === name)
    return schema ? [fieldOf(schema, change)] : []
  })
}

/** Returns the call that the values make, or the problem with a value. Empty fields are left out, unless a change emptied them. */
function callFrom<N extends CallName>(
  { call, params: known, initial }: FormActionProps<N>,
  fields: Field[],
  values: Values,
): Call<N> | Problem {
  const { method } = outlineOf(call)
  const params: Values = { ...known }
  let body: Record<string, unknown> = {}
  try {
    for (const field of fields) {
      const text = values[field.name] ?? ''
      if (field.isInPath) params[field.name] = fieldValue(field, text) as string
      else if (field.isBody) body = fieldValue(field, text) as typeof body
      else if (text !== '' || (method === 'PUT' && field.kind === 'text' && initial?.[field.name])) {
        const [outer = '', inner] = field.name.split('.')
        const value = fieldValue(field, text)
        body[outer] = inner === undefined ? value : { ...(body[outer] as object | undefined), [inner]: value }
      }
    }
    const input = formFieldsOf(call).every(({ isInPath }) => isInPath)
      ? {}
      : { [method === 'GET' ? 'query' : 'body']: body }
    return callOf(call, { params, ...input } as Parameters<typeof callOf<N>>[1])
  } catch (error) {
    return asProblem(error)
  }
}
