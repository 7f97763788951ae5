import type { CallName } from '../../../control/admin/calls.js'
import { callNames, outlineOf, requestOf } from '../api/call.js'
import { searchIn } from '../components/filters.js'
import { FormAction } from '../components/form.js'
import { actions, type Column, column, List, SingleView } from '../components/list.js'
import { Json } from '../components/message.js'

/** Every control call with a form, also those that other views make. console: Manners */
export function CallsView() {
  const { found, field, empty } = searchIn('calls', callNames, (name) => `${name} ${requestOf(name)}`)
  return (
    <SingleView title="All calls">
      <p class="soft">Each call of the control API as a form.</p>
      {field}
      <List
        caption="Control calls"
        class="stack"
        columns={columns}
        items={found}
        keyOf={(name) => name}
        empty={empty}
      />
    </SingleView>
  )
}

const columns: Column<CallName>[] = [
  column('Call', 'c-what', (name) => <b>{name}</b>),
  column('Request', 'c-what', (name) => <code>{requestOf(name)}</code>),
  actions((name) => (
    <FormAction
      label="Call…"
      what={`Call ${name}`}
      title={name}
      submit="Send"
      call={name}
      intro={outlineOf(name).loses && <p class="note warn">This can delete or replace existing data.</p>}
      result={(result) => <Json of={result} label="Result" />}
    />
  )),
]
