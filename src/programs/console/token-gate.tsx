import { useSignal } from '@preact/signals'
import { adminToken, keepToken } from './api/call.js'
import { textOf } from './components/button.js'

/** Asks for the admin token, which is kept for this tab's session and sent in a header, never in a URL. console: Serving */
export function TokenGate() {
  const token = useSignal('')
  const isRefused = adminToken.value !== undefined
  return (
    <main class="gate">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault()
          keepToken(token.value)
          location.reload()
        }}
      >
        <h1>Mockademy</h1>
        <p id="why" role={isRefused ? 'alert' : undefined}>
          {isRefused ? 'The emulator rejected this admin token.' : 'This emulator requires an admin token.'}
        </p>
        <div class="field">
          <label for="token">Admin token</label>
          <input
            id="token"
            ref={(field) => field?.focus()}
            type="password"
            required
            aria-invalid={isRefused || undefined}
            aria-describedby="why"
            pattern="[\x20-\xff]+"
            title="Latin-1 only"
            autocomplete="off"
            {...textOf(token)}
          />
          <p class="hint">The setting admin_token, kept until you close the tab.</p>
        </div>
        <div class="actions">
          <button type="submit">Continue</button>
        </div>
      </form>
    </main>
  )
}
