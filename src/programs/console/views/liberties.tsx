import { callOf } from '../api/call.js'
import { useResource } from '../api/resource.js'
import { Action, Waiting } from '../components/action.js'
import { FormAction } from '../components/form.js'
import { Head } from '../components/list.js'

/** The liberties that the emulator takes where the platform's documentation leaves one. */
export function Liberties() {
  const { data, problem } = useResource('getLiberties')
  const { seed = null, kinds = [], taken = {} } = data ?? {}
  return (
    <>
      <Head title="Liberties">
        <FormAction
          label="Take liberties"
          call="setLiberties"
          initial={{ seed: seed ?? '1' }}
          fields={{ seed: {}, kinds: { hint: 'JSON: ["shape", "weather", "future"], or ids of liberties.' } }}
        />
        {seed !== null && <Action label="Take none" call={callOf('clearLiberties')} />}
      </Head>
      <div class="soft">
        {!data ? (
          <Waiting problem={problem} />
        ) : seed === null ? (
          'None: what the documentation leaves open does not vary.'
        ) : (
          <>
            Seed <code>{seed}</code>, kinds <code>{kinds.join(', ')}</code>
          </>
        )}
      </div>
      {Object.entries(taken).map(([name, times]) => (
        <span key={name} class="tag">
          {name}: {times}
        </span>
      ))}
    </>
  )
}
