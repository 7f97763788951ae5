import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { type Call, Problem } from '../api/call.js'
import { ProblemNote, perform } from './action.js'
import { ControlCall } from './control-call.js'
import { Dialog } from './dialog.js'

export type Values = Record<string, string>

/** A field of a form. Its name is the path of the body that the emulator's messages speak of. */
export interface Field {
  name: string
  label: string
  hint?: string
  /** Choices; the first is what an empty value stands for when it has none. */
  options?: { value: string; label: string }[]
  /** Suggestions, where any text will do. */
  suggestions?: string[]
  kind?: 'text' | 'number' | 'json'
  required?: boolean
  /** Half as wide as the form. */
  half?: boolean
}

export interface FormActionProps {
  label: string
  title: string
  /** The fields, as far as the values so far ask for them. */
  fields: (values: Values) => Field[]
  initial?: Values
  /** The call that the values make. */
  call: (values: Values) => Call | Call[]
  submit?: string
  /** What is shown of the answer; the dialog just closes when left out. */
  result?: (answer: unknown) => ComponentChildren
  onDone?: (answer: unknown) => void
  /** Called with what changed and all values; may change others, as a preset does. */
  onChange?: (name: string, values: Values) => Values
  intro?: ComponentChildren
  quiet?: boolean
  small?: boolean
  /** Open from the beginning, as a link to it asks. */
  open?: boolean
  onClose?: () => void
}

/** A button that opens a form for a control call; the call is shown as it is being filled in. */
export function FormAction(props: FormActionProps) {
  const open = useSignal(props.open ?? false)
  const close = () => {
    open.value = false
    props.onClose?.()
  }
  return (
    <span class="action">
      <button
        type="button"
        class={`${props.quiet ? 'quiet' : ''} ${props.small ? 'small' : ''}`}
        onClick={() => {
          open.value = true
        }}
      >
        {props.label}
      </button>
      {open.value && <FormDialog {...props} onClose={close} />}
    </span>
  )
}

function FormDialog(props: FormActionProps & { onClose: () => void }) {
  const { title, fields, initial = {}, call, submit = props.label, result, onDone, onClose } = props
  const values = useSignal<Values>(initial)
  const problem = useSignal<Problem | undefined>(undefined)
  const busy = useSignal(false)
  const answer = useSignal<unknown>(undefined)
  const shown = fields(values.value)
  const made = callOf(call, values.value)
  const names = shown.map(({ name }) => name)
  const elsewhere = problem.value?.fields.filter(({ path }) => !names.some((name) => isField(name, path))) ?? []

  const run = async (event: Event) => {
    event.preventDefault()
    if (made instanceof Problem) {
      problem.value = made
      return
    }
    busy.value = true
    problem.value = undefined
    try {
      const got = await perform(made)
      onDone?.(got)
      if (result) answer.value = got
      else onClose()
    } catch (error) {
      problem.value = error instanceof Problem ? error : new Problem(0, String(error))
    } finally {
      busy.value = false
    }
  }
  if (answer.value !== undefined && result) {
    return (
      <Dialog title={title} onClose={onClose}>
        <div role="status">{result(answer.value)}</div>
        <div class="actions">
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {props.intro}
      <form onSubmit={(event) => void run(event)} noValidate>
        {shown.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={values.value[field.name] ?? ''}
            message={problem.value?.fields.find(({ path }) => isField(field.name, path))?.message}
            onInput={(value) => {
              const next = { ...values.value, [field.name]: value }
              values.value = props.onChange?.(field.name, next) ?? next
            }}
          />
        ))}
        <div class="foot">
          {!(made instanceof Problem) && <ControlCall calls={[made].flat()} />}
          {problem.value && (problem.value.fields.length === 0 || elsewhere.length > 0) && (
            <ProblemNote problem={problem.value} />
          )}
          <div class="actions">
            <button type="submit" disabled={busy.value}>
              {busy.value ? 'Sending…' : submit}
            </button>
            <button type="button" class="quiet" onClick={onClose}>
              Cancel
            </button>
          </div>
        </div>
      </form>
    </Dialog>
  )
}

/** A field's own path, or one inside of it. */
const isField = (name: string, path: string) => path === name || path.startsWith(`${name}.`)

/** The call, or what is wrong with the JSON that was typed. */
function callOf(call: FormActionProps['call'], values: Values): Call[] | Problem {
  try {
    return [call(values)].flat()
  } catch (error) {
    return error instanceof Problem ? error : new Problem(400, String(error))
  }
}

/** The JSON value of a field. @throws Problem naming the field. */
export function jsonField(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = `is not valid JSON: ${error instanceof Error ? error.message : error}`
    throw new Problem(400, `${name} ${message}`, [{ path: name, message }])
  }
}

/** An object of the values that are not empty. */
export const given = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== undefined))

function FieldInput(props: {
  field: Field
  value: string
  message: string | undefined
  onInput: (value: string) => void
}) {
  const { field, value, message, onInput } = props
  const id = useId()
  const described = [field.hint && `${id}-hint`, message && `${id}-message`].filter(Boolean).join(' ')
  const common = {
    id,
    name: field.name,
    value,
    required: field.required,
    'aria-invalid': message ? true : undefined,
    'aria-describedby': described || undefined,
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
  }
  return (
    <div class={field.half ? 'field half' : 'field'}>
      <label for={id}>
        {field.label}
        {field.required && <span class="soft"> (required)</span>}
      </label>
      {field.options ? (
        <select {...common}>
          {field.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : field.kind === 'json' ? (
        <textarea {...common} rows={5} spellcheck={false} class="mono" />
      ) : (
        <input {...common} type={field.kind ?? 'text'} list={field.suggestions && `${id}-list`} autocomplete="off" />
      )}
      {field.suggestions && (
        <datalist id={`${id}-list`}>
          {field.suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
      {field.hint && (
        <p class="hint" id={`${id}-hint`}>
          {field.hint}
        </p>
      )}
      {message && (
        <p class="wrong" id={`${id}-message`}>
          {message}
        </p>
      )}
    </div>
  )
}
