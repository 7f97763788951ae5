import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { adminToken, base, changeToken, tokenRefused } from './api/call.js'
import { nowText, timeNotice } from './api/clock.js'
import { report } from './api/report.js'
import { streamState } from './api/stream.js'
import { CallBar } from './components/action.js'
import { address, linkTo } from './components/address.js'
import { assign, Button, boundTo } from './components/button.js'
import { openDialog } from './components/dialog.js'
import { Status } from './components/facts.js'
import { SingleView } from './components/list.js'
import { KeyHelp } from './keyboard.js'
import { views } from './views/views.js'

/** The frame of the page: navigation, state of the connection, and the emulator's time. */
export function Shell() {
  const isMenuOpen = useSignal(false)
  const { view } = address.value
  const current = views.find(({ name }) => name === view)
  const closeMenu = assign(isMenuOpen, false)
  useEffect(() => {
    document.title = current ? `${current.title} · Mockademy` : 'Mockademy'
    closeMenu()
  }, [current])
  if (tokenRefused.value) return <TokenGate />
  return (
    <>
      <header class="top">
        <a class="brand" href="#/activity">
          <span class="mark" aria-hidden="true" />
          Mockademy
        </a>
        <span class="where mono">{base.host}</span>
        {report ? (
          <Status tone="plain">run report</Status>
        ) : (
          <>
            <EmulatorTime />
            <span role="status">{connections[streamState.value]}</span>
          </>
        )}
        <KeyHelp />
        <Button
          look="small quiet menu"
          aria-expanded={isMenuOpen.value}
          aria-controls="views"
          onClick={() => {
            // The views open at the top of the page.
            scrollTo(0, 0)
            isMenuOpen.value = !isMenuOpen.value
          }}
        >
          Menu
        </Button>
      </header>
      <nav id="views" aria-label="Views" class={isMenuOpen.value ? 'shown' : ''}>
        <ul>
          {views.map(({ name, title, useFailures }) => (
            <li key={name}>
              <a href={linkTo(name)} onClick={closeMenu} aria-current={name === view ? 'page' : undefined}>
                {title}
                {useFailures && <FailureCount of={useFailures} />}
              </a>
            </li>
          ))}
        </ul>
        {!report && (
          <a class="soft small" href={base.href}>
            Web app
          </a>
        )}
      </nav>
      <main id="main" tabIndex={report ? 0 : undefined}>
        {current ? (
          <current.View key={view} />
        ) : (
          <SingleView title={`View “${view}” not found`}>
            Start with <a href="#/activity">Activity</a>.
          </SingleView>
        )}
      </main>
      {!report && <CallBar />}
      {openDialog.value}
    </>
  )
}

/** @param of a hook that returns how many there are. */
function FailureCount({ of: useFailures }: { of: () => number }) {
  const failures = useFailures()
  if (failures === 0) return null
  return (
    <span class="tag bad">
      <b>{failures}</b>
      <span class="visually-hidden"> failed</span>
    </span>
  )
}

/** The emulator's time, if a clock differs from the machine's. console: Manners */
function EmulatorTime() {
  if (!timeNotice.value) return null
  return (
    <a class="time nowrap" href="#/clock" title="Times here use the emulator’s clocks">
      {nowText.value} <Status tone="warn">{timeNotice.value}</Status>
    </a>
  )
}

const connections = {
  live: <Status tone="good">live</Status>,
  cut: <Status tone="bad">disconnected, reconnecting</Status>,
  connecting: <Status tone="busy">connecting</Status>,
  refused: null,
}

/** Asks for the admin token, which is kept for this tab's session and sent in a header, never in a URL. console: Serving */
function TokenGate() {
  const token = useSignal('')
  const isRefused = adminToken !== undefined
  return (
    <main class="gate">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault()
          changeToken(token.value)
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
            {...boundTo(token)}
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
