import { useSignal } from '@preact/signals'
import { queryValue, setQuery } from './address.js'
import { textOf } from './button.js'
import { type Option, Options } from './field.js'

/** Narrows items down to those with a text in what `describe` returns. @returns them, and the field for the text. */
export function useSearch<T>(noun: string, items: T[], describe: (item: T) => string) {
  const text = useSignal('')
  const found = items.filter((item) => describe(item).toLowerCase().includes(text.value.toLowerCase()))
  const field = items.length > 0 && (
    <div class="filters">
      <input type="search" data-search aria-label={`Search ${noun}`} placeholder={`Search ${noun}`} {...textOf(text)} />
      <span class="soft">
        {found.length} of {items.length}
      </span>
    </div>
  )
  return { found, field }
}

interface FilterSelectProps {
  /** Of the value in the address's query. */
  name: string
  label: string
  /** The label of the choice that filters nothing, unless it is that of the filter. */
  any?: string
  options: Option[]
}

/** A filter of a list by a value of the address's query. */
export const FilterSelect = ({ name, label, any = label, options }: FilterSelectProps) => (
  <select aria-label={label} value={queryValue(name)} onChange={(event) => setQuery(name, event.currentTarget.value)}>
    <Options of={[['', any], ...options]} value={queryValue(name)} />
  </select>
)
