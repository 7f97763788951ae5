import { address, setQuery } from '../../address.js'
import { useList } from '../../api/resource.js'
import type { App, Organization } from '../../api/shapes.js'
import { entries, firstDrawn, heldInAll, isFiltered, isTrouble, paused, togglePause } from './entries.js'

const surfaces = ['api', 'oauth', 'web', 'inbox', 'webhook', 'admin']
const statuses = [
  { value: '', label: 'Any status' },
  { value: 'trouble', label: 'Refused or failed' },
  { value: 'ok', label: '2xx OK' },
  { value: 'redirect', label: '3xx redirect' },
  { value: 'refused', label: '4xx refused' },
  { value: 'error', label: '5xx failed' },
  { value: 'none', label: 'No response' },
]

interface SelectProps {
  name: string
  label: string
  options: { value: string; label: string }[]
}

function FilterSelect({ name, label, options }: SelectProps) {
  return (
    <select
      aria-label={label}
      value={address.value.query.get(name) ?? ''}
      onChange={(event) => {
        firstDrawn.value = 0
        setQuery(name, event.currentTarget.value)
      }}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

/** What the list is narrowed to, kept in the address; and Pause. */
export function FilterBar() {
  const { items: apps } = useList<App>('/_admin/apps', ['apps'])
  const { items: organizations } = useList<Organization>('/_admin/organizations', ['organizations'])
  const trouble = entries.value.filter(isTrouble).length
  const onlyTrouble = address.value.query.get('status') === 'trouble'
  return (
    <search class="filters" aria-label="Activity">
      <button
        type="button"
        class={`small quiet trouble ${trouble > 0 ? 'some' : ''}`}
        aria-pressed={onlyTrouble}
        onClick={() => setQuery('status', onlyTrouble ? '' : 'trouble')}
      >
        <span class="shape" aria-hidden="true">
          ✕
        </span>{' '}
        Refused or failed <b class="num">{trouble}</b>
      </button>
      <input
        type="search"
        data-search
        aria-label="Search, including bodies"
        placeholder="Search (bodies too)"
        value={address.value.query.get('text') ?? ''}
        onInput={(event) => {
          firstDrawn.value = 0
          setQuery('text', event.currentTarget.value)
        }}
      />
      <FilterSelect name="status" label="Status" options={statuses} />
      <FilterSelect
        name="surface"
        label="Surface"
        options={[{ value: '', label: 'Any surface' }, ...surfaces.map((value) => ({ value, label: value }))]}
      />
      <FilterSelect
        name="app"
        label="App"
        options={[{ value: '', label: 'Any app' }, ...apps.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      <FilterSelect
        name="organization"
        label="Organization"
        options={[
          { value: '', label: 'Any organization' },
          ...organizations.map(({ slug, name }) => ({ value: slug, label: name })),
        ]}
      />
      {isFiltered.value && (
        <button
          type="button"
          class="small quiet"
          onClick={() => {
            for (const name of ['text', 'status', 'surface', 'app', 'organization']) setQuery(name, '')
          }}
        >
          Clear filters
        </button>
      )}
      <button type="button" class="small quiet pause" aria-pressed={paused.value} onClick={togglePause}>
        {paused.value ? `Resume (${heldInAll.value} new)` : 'Pause'}
      </button>
    </search>
  )
}
