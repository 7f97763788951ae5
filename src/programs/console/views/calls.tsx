import { useSignal } from '@preact/signals'
import type { CallName } from '../../../control/admin/calls.js'
import { callNames, outlineOf } from '../api/call.js'
import { textOf } from '../parts/button.js'
import { FormAction } from '../parts/form.js'
import { actions, type Column, Empty, List, SingleView } from '../parts/list.js'
import { TextBox } from '../parts/message.js'

/** Every control call with a form, also those that other views make. console: Manners */
export function CallsView() {
  const text = useSignal('')
  const wanted = text.value.toLowerCase()
  const found = callNames.filter((name) => {
    const { method, path } = outlineOf(name)
    return `${name} ${method} ${path}`.toLowerCase().includes(wanted)
  })
  return (
    <SingleView title="All calls">
      <p class="soft">Each call of the control API, with the fields of its schema. Its response is shown as JSON.</p>
      <div class="filters">
        <input type="search" data-search aria-label="Search calls" placeholder="Search calls" {...textOf(text)} />
        <span class="soft num">
          {found.length} of {callNames.length}
        </span>
      </div>
      <List
        caption="Control calls"
        class="stack"
        columns={columns}
        items={found}
        keyOf={(name) => name}
        empty={<Empty title="No matching calls">Change the search to see more.</Empty>}
      />
    </SingleView>
  )
}

const columns: Column<CallName>[] = [
  { head: 'Call', class: 'c-what', cell: (name) => <b>{name}</b> },
  {
    head: 'Request',
    class: 'c-what',
    cell: (name) => (
      <code>
        {outlineOf(name).method} {outlineOf(name).path}
      </code>
    ),
  },
  {
    ...actions,
    cell: (name) => (
      <FormAction
        label="Call…"
        what={`Call ${name}`}
        title={name}
        submit="Send"
        call={name}
        result={(result) => <TextBox text={JSON.stringify(result, null, 2)} label="Result" />}
      />
    ),
  },
]
