import { useSignal } from '@preact/signals'
import { callOf } from '../api/call.js'
import { Action } from '../parts/action.js'
import { FormAction } from '../parts/form.js'
import { TextBox } from '../parts/message.js'

/** Runs scenarios, and records them. control-api: Scenarios */
export function Scenarios() {
  const recorded = useSignal('')
  const show = (result: object) => {
    recorded.value = JSON.stringify(result, null, 2)
  }
  return (
    <>
      <div class="head">
        <h2>Scenarios</h2>
        <FormAction
          label="Run a scenario"
          submit="Run"
          call="runScenario"
          fields={{
            body: {
              label: 'Scenario',
              rows: 14,
              hint: 'A document with steps. Entries in Activity can be copied as steps.',
            },
          }}
          initial={{ body: '{\n  "steps": []\n}' }}
          result={(result) => <TextBox text={JSON.stringify(result, null, 2)} label="Result" />}
        />
        <Action label="Start recording" call={callOf('startRecording')} onDone={show} />
        <Action label="Stop recording" call={callOf('stopRecording')} onDone={show} />
      </div>
      {recorded.value ? (
        <TextBox text={recorded.value} label="Recording" />
      ) : (
        <p class="soft">A recording of control calls and requests becomes a scenario that can be run again.</p>
      )}
    </>
  )
}
