import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { base, callOf, type Entry } from '../api/call.js'
import { useList } from '../api/resource.js'
import { Action } from '../parts/action.js'
import { goTo, linkTo } from '../parts/address.js'
import { textOf } from '../parts/button.js'
import { Moment, Status } from '../parts/facts.js'
import { FormAction } from '../parts/form.js'
import { type Column, Empty, ListView, RowLink, Waiting } from '../parts/list.js'
import { MessageView } from '../parts/message.js'
import { entries } from './entries.js'

interface Inbox {
  name: string
  /** Those whose newest manifest has it as its webhook. */
  apps: string[]
  received: number
}

/** The name of the inbox at an address; undefined for other addresses. */
const inboxAt = (address: string): string | undefined => /\/_inbox\/([^/?#]+)/.exec(address)?.[1]

const isReceived = ({ surface }: Entry) => surface === 'inbox'

/** Lists the inboxes that manifests or the journal name: the emulator has any that is asked for. */
function useInboxes() {
  const { items: apps, ...state } = useList('listApps')
  const inboxes = new Map<string, Inbox>()
  const inbox = (name: string) => {
    const found = inboxes.get(name) ?? { name, apps: [], received: 0 }
    inboxes.set(name, found)
    return found
  }
  for (const { id, versions } of apps) {
    const { webhook } = (versions.at(-1)?.manifest ?? {}) as { webhook?: { url?: string } }
    const name = inboxAt(webhook?.url ?? '')
    if (name) inbox(name).apps.push(id)
  }
  for (const entry of entries.value.filter(isReceived)) {
    const name = inboxAt(entry.path)
    if (name) inbox(name).received += 1
  }
  return { items: [...inboxes.values()], state }
}

/** Built-in receivers of webhooks. control-api: Webhooks */
export function InboxesView() {
  const name = useSignal('')
  return (
    <ListView
      title="Inboxes"
      head={
        <form
          class="inline"
          onSubmit={(event) => {
            event.preventDefault()
            if (name.value) goTo(linkTo('inboxes', name.value))
          }}
        >
          <input aria-label="Name of an inbox" placeholder="Any name" autocomplete="off" {...textOf(name)} />
          <button type="submit" class="small quiet">
            Open
          </button>
        </form>
      }
      noun="Inbox"
      find={(id) => ({ name: id, apps: [], received: 0 })}
      detail={({ name }) => <InboxDetail key={name} name={name} />}
      caption="Inboxes"
      columns={columns}
      {...useInboxes()}
      keyOf={({ name }) => name}
      empty={
        <Empty title="No inboxes yet" command={`curl -d '{}' ${base.href}_inbox/mine`}>
          An inbox keeps the webhooks that it receives, for apps without a server. Set <code>webhook.url</code> in a
          manifest to <code>{base.href}_inbox/mine</code>, or send something to it:
        </Empty>
      }
    />
  )
}

const columns: Column<Inbox>[] = [
  {
    head: 'Inbox',
    class: 'c-what',
    cell: ({ name }) => (
      <RowLink id={name}>
        <b>{name}</b>
      </RowLink>
    ),
  },
  { head: 'Webhook of', cell: ({ apps }) => apps.join(', ') },
  { head: 'Requests in the journal', class: 'num', cell: ({ received }) => received },
]

/** One inbox with what it has received, newest first. */
function InboxDetail({ name }: { name: string }) {
  const { items, ready, problem, reload } = useList('readInbox', { params: { name } })
  const newest = entries.value.find((entry) => isReceived(entry) && inboxAt(entry.path) === name)?.id
  useEffect(reload, [newest])
  const params = { name }
  return (
    <>
      <h2 class="exchange">{name}</h2>
      <p class="soft">
        <code>
          {base.href}_inbox/{name}
        </code>
      </p>
      <div class="toolbar">
        <FormAction label="Set the response" submit="Set" call="setInbox" params={params} />
        <Action label="Empty" what={`Empty ${name}`} call={callOf('emptyInbox', { params })} onDone={reload} />
      </div>
      {!ready && <Waiting problem={problem} />}
      {ready && items.length === 0 && <p class="soft">Empty.</p>}
      {items.toReversed().map(({ at, event, verified, app, organization, headers, body }, index) => (
        <section class="attempt" key={items.length - index}>
          <h3>
            {event ?? 'No event'}{' '}
            {verified ? <Status tone="good">signature valid</Status> : <Status tone="warn">no valid signature</Status>}
          </h3>
          <p class="soft small">
            <Moment at={at} /> {[app, organization].filter(Boolean).join(' in ')}
          </p>
          <MessageView title="Request" message={{ headers, body }} />
        </section>
      ))}
    </>
  )
}
