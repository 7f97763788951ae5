/** The largest number that zod writes where a schema has no limit. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** Returns the field of a form for a field of a call. */
function formField({ name, kind, required, description, choices, minimum, maximum, default: value }) {
  const isRange = minimum !== undefined && maximum !== undefined && maximum !== NO_LIMIT
  const hints = [
    description && `${description.replaceAll('`', '')}.`,
    kind === 'duration' && 'For example 90s, 61m, 1h or 30d.',
    isRange && `From ${minimum} to ${maximum}.`,
  ].filter(Boolean)
  const options = choices.length === 0 && kind === 'boolean' ? ['true', 'false'] : choices
  return {
    name,
    ...(kind !== 'text' && { kind }),
    ...(required && { required }),
    ...(hints.length > 0 && { hint: hints.join(' ') }),
    ...(options.length > 0 && { choices: options }),
    ...(['string', 'boolean'].includes(typeof value) && value !== '' && { default: String(value) }),
  }
}

/** Calls whose body is a document that is written as a whole: its form has one field. */
const documents = new Set(['putState', 'addFixtures', 'pushManifest', 'runScenario'])

const formOf = ({ method, path, list, names, isDocument }, fields) => ({
  method,
  path,
  ...(list && { list }),
  fields: [
    ...Object.entries(names).map(([name, description]) => ({
      ...formField({ name, kind: 'text', required: true, description, choices: [] }),
      isInPath: true,
    })),
    ...(isDocument ? [{ name: 'body', kind: 'json', required: true, isBody: true }] : fields.map(formField)),
  ],
})

/**
 * Returns the control calls for the console: method, path, `list`, and the fields of the form that makes each.
 * @param calls the values of `call-table.ts` and `call-fields.ts` in `src/control/admin`.
 */
export const consoleCalls = ({ callTable, callFields }) =>
  Object.fromEntries(
    Object.entries(callTable).map(([name, row]) => [
      name,
      formOf({ ...row, isDocument: documents.has(name) }, callFields[name]),
    ]),
  )
