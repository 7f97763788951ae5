import { computed, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { address, linkTo } from './address.js'
import { base, tokenRefused } from './api/call.js'
import { clock, isOtherTime, nowText } from './emulator-time.js'
import { KeyHelp } from './keyboard.js'
import { streamState } from './live/connection.js'
import { CallBar } from './parts/control-call.js'
import { Empty } from './parts/empty.js'
import { Status } from './parts/status.js'
import { TokenGate } from './token-gate.js'
import { entries, isTrouble } from './views/activity/entries.js'
import { deliveries, isWaiting } from './views/deliveries/delivery-list.js'
import { views } from './views/views.js'

/** Beside a view's name: what calls for a look at it. */
const counts: Record<string, () => number> = {
  activity: () => trouble.value,
  deliveries: () => failing.value,
}
const trouble = computed(() => entries.value.filter(isTrouble).length)
const failing = computed(
  () =>
    deliveries.value.filter(
      (delivery) => delivery.state === 'failed' || (isWaiting(delivery) && delivery.attempts.length > 0),
    ).length,
)

/** The frame of the page: where one is, how the connection is, what time it is. */
export function Shell() {
  const menu = useSignal(false)
  const { view } = address.value
  const current = views.find(({ name }) => name === view)
  useEffect(() => {
    document.title = current ? `${current.title} · Mockademy` : 'Mockademy'
    menu.value = false
  }, [current, menu])
  if (tokenRefused.value) return <TokenGate />
  const Current = current?.View
  return (
    <>
      <header class="top">
        <a class="brand" href="#/activity">
          <span class="mark" aria-hidden="true" />
          Mockademy
        </a>
        <span class="where mono">{base.host}</span>
        <EmulatorTime />
        <Connection />
        <KeyHelp />
        <button
          type="button"
          class="small quiet menu"
          aria-expanded={menu.value}
          aria-controls="views"
          onClick={() => {
            menu.value = !menu.value
          }}
        >
          Menu
        </button>
      </header>
      <nav id="views" aria-label="Views" class={menu.value ? 'shown' : ''}>
        <ul>
          {views.map(({ name, title }) => {
            const count = counts[name]?.() ?? 0
            return (
              <li key={name}>
                <a href={linkTo(name)} aria-current={name === view ? 'page' : undefined}>
                  {title}
                  {count > 0 && (
                    <span class="count num">
                      {count}
                      <span class="visually-hidden"> failed</span>
                    </span>
                  )}
                </a>
              </li>
            )
          })}
        </ul>
        <a class="soft small" href={base.href}>
          Web app
        </a>
      </nav>
      <main id="main">
        {Current ? (
          <Current key={view} />
        ) : (
          <section class="single">
            <Empty title={`View “${view}” not found`}>
              Start with <a href="#/activity">Activity</a>.
            </Empty>
          </section>
        )}
      </main>
      <CallBar />
    </>
  )
}

/** The emulator's time, where it is not the machine's. console: Manners */
function EmulatorTime() {
  if (!isOtherTime.value) return null
  return (
    <a class="time num" href="#/clock" title="Times on this page use the emulator’s clock">
      {nowText.value} UTC <Status tone="warn">{clock.value?.frozen ? 'clock stopped' : 'clock moved'}</Status>
    </a>
  )
}

/** Says when the page is cut off, and when it is back. */
function Connection() {
  const state = streamState.value
  return (
    <span class="connection" role="status">
      {state === 'live' ? (
        <Status tone="good">live</Status>
      ) : state === 'cut' ? (
        <Status tone="bad">disconnected, reconnecting</Status>
      ) : (
        <Status tone="busy">connecting</Status>
      )}
    </span>
  )
}
