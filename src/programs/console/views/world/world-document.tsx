import { useSignal } from '@preact/signals'
import { Problem, sendCall } from '../../api/call.js'
import type { WorldDocument } from '../../api/shapes.js'
import { Action, ProblemNote } from '../../parts/action.js'
import { shownCall } from '../../parts/control-call.js'

/** The document as a file. With an admin token a link would not do. */
export function Export() {
  const problem = useSignal<Problem | undefined>(undefined)
  const call = { method: 'GET' as const, path: '/_admin/state' }
  const save = async () => {
    shownCall.value = { calls: [call] }
    problem.value = undefined
    try {
      const document_ = await sendCall<WorldDocument>(call)
      const url = URL.createObjectURL(new Blob([JSON.stringify(document_, null, 2)], { type: 'application/json' }))
      const link = Object.assign(document.createElement('a'), { href: url, download: 'world.json' })
      link.click()
      URL.revokeObjectURL(url)
    } catch (error) {
      problem.value = error instanceof Problem ? error : new Problem(0, String(error))
    }
  }
  return (
    <span class="action">
      <button type="button" class="small quiet" onClick={() => void save()}>
        Export
      </button>
      <ProblemNote problem={problem.value} />
    </span>
  )
}

/** A file of the developer's, checked by the emulator when it is sent. */
export function Import() {
  const chosen = useSignal<{ name: string; document: unknown } | undefined>(undefined)
  const wrong = useSignal('')
  const read = async (input: HTMLInputElement) => {
    const [file] = input.files ?? []
    chosen.value = undefined
    wrong.value = ''
    if (!file) return
    try {
      chosen.value = { name: file.name, document: JSON.parse(await file.text()) }
    } catch (error) {
      wrong.value = `${file.name} is not valid JSON: ${error instanceof Error ? error.message : error}`
    }
  }
  return (
    <>
      <label class="inline file">
        Import{' '}
        <input type="file" accept=".json,application/json" onChange={({ currentTarget }) => void read(currentTarget)} />
      </label>
      {chosen.value && (
        <Action
          label={`Replace the world with ${chosen.value.name}`}
          call={{ method: 'PUT', path: '/_admin/state', body: chosen.value.document }}
          confirm={{
            title: 'Replace the world',
            loses:
              'This replaces everything in the world, including organizations, installations, tokens and deliveries. Snapshots stay.',
          }}
          onDone={() => {
            chosen.value = undefined
          }}
        />
      )}
      {wrong.value && (
        <p class="note bad" role="alert">
          {wrong.value}
        </p>
      )}
    </>
  )
}
