import { queryValue, setQuery } from './address.js'
import { type Option, Options } from './field.js'
import { Empty } from './list.js'

/** The field for the text that a list is searched for, a value of the address's query. */
export const SearchField = ({ label, placeholder = label }: { label: string; placeholder?: string }) => (
  <input
    type="search"
    data-search
    aria-label={label}
    placeholder={placeholder}
    value={queryValue('text')}
    onInput={(event) => setQuery('text', event.currentTarget.value)}
  />
)

/** Narrows items down to those with that text in what `describe` returns. @returns them, the field, and what to show without any. */
export function searchIn<T>(noun: string, items: T[], describe: (item: T) => string) {
  const text = queryValue('text').toLowerCase()
  const found = items.filter((item) => describe(item).toLowerCase().includes(text))
  const field = items.length > 0 && (
    <div class="filters">
      <SearchField label={`Search ${noun}`} />
      <span class="soft">
        {found.length} of {items.length}
      </span>
    </div>
  )
  return { found, field, empty: <Empty title={`No matching ${noun}`}>Change the search to see more.</Empty> }
}

interface FilterSelectProps {
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
