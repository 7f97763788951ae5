import { signal } from '@preact/signals'
import type { CallResult } from '../../../control/admin/calls.js'
import { callOf } from '../api/call.js'
import { useResource } from '../api/resource.js'
import { Action } from '../components/action.js'
import { Warnings } from '../components/facts.js'
import { FormAction } from '../components/form.js'
import { Head } from '../components/list.js'
import { Json } from '../components/message.js'

/** The last recording that this page ended, which stays in other views. */
const recorded = signal<CallResult<'stopRecording'> | undefined>(undefined)

/** Runs scenarios, and records them. control-api: Scenarios */
export function Scenarios() {
  const { data: world } = useResource('world')
  const since = world?.recording_since
  const { scenario, left_out = [] } = recorded.value ?? {}
  return (
    <>
      <Head title="Scenarios">
        <FormAction
          label="Run a scenario"
          call="runScenario"
          fields={{
            body: {
              label: 'Scenario',
              rows: 14,
              hint: 'Copy entries of Activity as steps. Unless it has "from": "current", the journal is emptied.',
            },
          }}
          initial={{ body: '{\n  "from": "current",\n  "steps": []\n}' }}
          result={(result) => <Json of={result} label="Result" />}
        />
        {since ? (
          <Action
            label="Stop recording"
            call={callOf('stopRecording')}
            onDone={(recording) => {
              recorded.value = recording
            }}
          />
        ) : (
          <Action label="Start recording" call={callOf('startRecording')} />
        )}
      </Head>
      {since ? (
        <Json of={{ since }} label="Recording" />
      ) : scenario ? (
        <>
          <Json of={scenario} label="Recording" />
          <Warnings of={left_out.map(({ request, why }) => ({ path: request, message: `is left out: ${why}` }))} />
        </>
      ) : (
        <p class="soft">A recording becomes a scenario that can be run again.</p>
      )}
    </>
  )
}
