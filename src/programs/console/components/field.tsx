import { useSignal } from '@preact/signals'
import type { Issue } from '../../../foundation/schema/issue.js'
import { capitalized } from '../../reports/capitalized.js'
import { Problem } from '../api/call.js'
import type { FormField } from '../api/form-fields.js'
import { useList } from '../api/resource.js'
import { lineOf } from './json-issues.js'

/** A value to choose, with its label unless the value is one. */
export type Option = string | LabeledOption
export type LabeledOption = [value: string, label: string]

/** The options of a select. @param value the chosen one, which the options may lack. */
export function Options({ of, value: chosen }: { of: Option[]; value?: string }) {
  const labels = new Map(of.map((option) => (typeof option === 'string' ? [option, option] : option)))
  if (chosen !== undefined && !labels.has(chosen)) labels.set(chosen, chosen)
  return [...labels].map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
}

export type Values = Record<string, string>

/** A field of a form: what the schema of the call has, and what the page adds. */
export interface Field extends Partial<FormField> {
  name: string
  label: string
  hint?: string
  options?: Option[]
  suggestions?: string[]
  half?: boolean
  rows?: number
  /** Returns the issues of the text while it is being written, with paths in its JSON. */
  issuesOf?: (text: string) => Issue[]
}

/** Returns the path of an issue from the field's own value on; undefined for an issue of another field. */
export function pathWithin({ name, isBody, isInPath }: Field, path: string): string | undefined {
  if (path === name) return ''
  if (isBody) return path
  return !isInPath && path.startsWith(`${name}.`) ? path.slice(name.length + 1) : undefined
}

/** Returns the issues of JSON as text, a line for each. @param issues with paths in its JSON. */
const issuesText = (text: string, issues: Issue[]): string | undefined =>
  issues
    .map(({ path, message }) => (path === '' ? message : `Line ${lineOf(text, path)}: ${path} ${message}`))
    .join('\n') || undefined

const useOrganizationChoices = (): LabeledOption[] =>
  useList('listOrganizations').items.map(({ slug, name }) => [slug, `${name} (${slug})`])

/** The choices of fields that name a record, by the last part of the field's name. Each is a hook. */
const useChoices: Record<string, () => LabeledOption[]> = {
  app: () => useList('listApps').items.map(({ id, name }) => [id, `${name} (${id})`]),
  organization: useOrganizationChoices,
  slug: useOrganizationChoices,
  installation: () =>
    useList('listInstallations')
      .items.filter(({ state }) => state === 'installed')
      .map(({ id, app, organization }) => [id, `${app} in ${organization}`]),
  user: () =>
    useList('listUsers').items.map(({ email, full_name }) => [email, full_name ? `${full_name} (${email})` : email]),
}

const lastPart = (name: string) => name.slice(name.lastIndexOf('.') + 1)

/** Returns the field as a form shows it. */
export function fieldOf(schema: FormField, change: Partial<Field> = {}): Field {
  const { name, kind, required, choices, default: unset } = schema
  const words = lastPart(name).replaceAll('_', ' ').replace('ttl', 'TTL')
  const known = kind === 'boolean' ? ['true', 'false'] : choices
  const others = known.filter((choice) => choice !== String(unset))
  const none = required ? 'Choose…' : unset === undefined ? 'Not set' : `${unset} (default)`
  return {
    ...schema,
    label: capitalized(words),
    hint: hintOf(schema),
    ...(known.length > 0 && { options: [['', none], ...others] }),
    ...change,
  }
}

const hintOf = ({ kind, description, minimum, maximum }: FormField): string =>
  [
    description && `${description.replaceAll('`', '')}.`,
    kind === 'duration' && 'For example 90s, 61m, 1h or 30d.',
    maximum !== undefined && `From ${minimum} to ${maximum}.`,
  ]
    .filter(Boolean)
    .join(' ')

/**
 * The value of a field in a call.
 * @throws Problem for text that is no number or JSON where one is needed, and for an empty name in the path.
 */
export function fieldValue({ name, kind, options, isInPath }: Field, text: string): unknown {
  const invalid = (message: string) => new Problem(400, `${name} ${message}`, [{ path: name, message }])
  // The path without it would be that of another call.
  if (isInPath && text === '') throw invalid('is required')
  if (kind === 'number' && !Number.isFinite(Number(text))) throw invalid('is not a number')
  if (kind === 'number' || (kind === 'duration' && /^\d+$/.test(text))) return Number(text)
  if (kind === 'boolean') return text === 'true'
  if (kind !== 'json' || (options && /^\w+$/.test(text))) return text
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid(`is not valid JSON: ${(error as Error).message}`)
  }
}

interface FieldInputProps {
  field: Field
  value: string
  /** With paths in the JSON of its value. */
  issues?: Issue[]
  onInput: (value: string) => void
}

export function FieldInput(props: FieldInputProps) {
  const { field } = props
  const name = lastPart(field.name)
  // The slug of a body is that of a new record.
  const isNew = name === 'slug' && !field.isInPath
  if (field.kind !== 'json' && !field.options && !field.suggestions && useChoices[name] && !isNew)
    return <RecordInput {...props} name={name} />
  if (field.options && field.kind === 'json') return <JsonOrNameInput {...props} />
  return <LabeledInput {...props} />
}

/** A field that names a record: a choice where one is required, suggestions where any text may be left out. */
function RecordInput({ name, ...props }: FieldInputProps & { name: string }) {
  const choices = useChoices[name]?.() ?? []
  const change: Partial<Field> = props.field.required
    ? { options: [['', 'Choose…'], ...choices], hint: '' }
    : { suggestions: choices.map(([value]) => value) }
  return <LabeledInput {...props} field={{ ...props.field, ...change }} />
}

/** A field whose value is one of some names or other JSON: a choice of names, with a second field for JSON. */
function JsonOrNameInput({ field, value, issues = [], onInput }: FieldInputProps) {
  const isJson = useSignal(/^\W/.test(value))
  const { hint, options = [], ...choice } = field
  return (
    <>
      <LabeledInput
        field={{ ...choice, kind: 'text', options: [...options, ['json', 'A JSON object…']] }}
        value={isJson.value ? 'json' : value}
        issues={isJson.value ? [] : issues}
        onInput={(chosen) => {
          isJson.value = chosen === 'json'
          onInput(isJson.value ? '{}' : chosen)
        }}
      />
      {isJson.value && (
        <LabeledInput
          field={{ ...field, options: undefined, label: `${field.label} as JSON` }}
          value={value}
          issues={issues}
          onInput={onInput}
        />
      )}
    </>
  )
}

function LabeledInput({ field, value, issues = [], onInput }: FieldInputProps) {
  const { name, label, kind, required, hint, options, suggestions, half, rows = 5, issuesOf } = field
  const message = issuesText(value, issues.length > 0 ? issues : (issuesOf?.(value) ?? []))
  // There is one form at a time. A field for JSON may have the name of the field before it.
  const id = `${name}-${kind}`
  const described = [hint && `${id}-hint`, message && `${id}-message`].filter(Boolean).join(' ')
  const common = {
    id,
    name,
    value,
    required,
    'aria-invalid': message ? true : undefined,
    'aria-describedby': described || undefined,
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
  }
  return (
    <div class={half ? 'field half' : 'field'}>
      <label for={id}>
        {label}
        {required && <span class="soft"> (required)</span>}
      </label>
      {options ? (
        <select {...common}>
          <Options of={options} value={value} />
        </select>
      ) : kind === 'json' ? (
        <textarea {...common} rows={rows} spellcheck={false} class="mono" />
      ) : (
        <input
          {...common}
          // An input for numbers hides the text that is none.
          inputMode={kind === 'number' ? 'decimal' : undefined}
          list={suggestions && `${id}-list`}
          autocomplete="off"
        />
      )}
      {suggestions && (
        <datalist id={`${id}-list`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
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
