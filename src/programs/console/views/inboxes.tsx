import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { base, callOf, type Entry } from '../api/call.js'
import { useList } from '../api/resource.js'
import { Action, Waiting } from '../components/action.js'
import { decoded, goTo, linkTo } from '../components/address.js'
import { boundTo } from '../components/button.js'
import { Moment, Status } from '../components/facts.js'
import { FormAction } from '../components/form.js'
import { type Column, column, Empty, ListView, RowLink } from '../components/list.js'
import { MessageView } from '../components/message.js'
import { ownersOf } from './describe-entry.js'
import { journal } from './entries.js'

/** Returns the name of the inbox at an address; empty for other addresses. */
const inboxAt = (address: string): string => decoded(/\/_inbox\/([^/?#]+)/.exec(address)?.[1] ?? '')

const webhookOf = (manifest: object = {}) => (manifest as { webhook?: { url?: string } }).webhook?.url ?? ''

const isReceived = ({ surface }: Entry) => surface === 'inbox'

/** Lists the inboxes that manifests or the journal name: the emulator has any that is asked for. */
function useInboxes() {
  const { items: apps, ready, problem } = useList('listApps')
  const hooks = apps.map(({ id, versions }) => ({ id, name: inboxAt(webhookOf(versions.at(-1)?.manifest)) }))
  const all = journal.items.value.filter(isReceived).map(({ path }) => inboxAt(path))
  const names = [...new Set([...hooks.map(({ name }) => name), ...all])]
  const items = names.filter(Boolean).map((name) => ({
    name,
    /** Those whose newest manifest has it as its webhook. */
    apps: hooks.filter((hook) => hook.name === name).map(({ id }) => id),
    received: all.filter((each) => each === name).length,
  }))
  return { items, ready, problem }
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
          <input aria-label="Name of an inbox" placeholder="Any name" autocomplete="off" {...boundTo(name)} />
          <button type="submit" class="small quiet">
            Open
          </button>
        </form>
      }
      find={(id) => ({ name: id, apps: [], received: 0 })}
      detail={({ name }) => <InboxDetail key={name} name={name} />}
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

const columns: Column<ReturnType<typeof useInboxes>['items'][number]>[] = [
  column('Inbox', 'c-what', ({ name }) => <RowLink id={name} name={name} />),
  column('Webhook of', '', ({ apps }) => apps.join(', ')),
  column('In the journal', 'num', ({ received }) => received),
]

function InboxDetail({ name }: { name: string }) {
  const { items, ready, problem, reload } = useList('readInbox', { params: { name } })
  const newest = journal.items.value.find((entry) => isReceived(entry) && inboxAt(entry.path) === name)?.id
  useEffect(reload, [newest])
  const params = { name }
  return (
    <>
      <h2 class="exchange">{name}</h2>
      <p class="soft">
        <code>
          {base.href}_inbox/{encodeURIComponent(name)}
        </code>
      </p>
      <div class="toolbar">
        <FormAction label="Set the response" call="setInbox" params={params} />
        <Action
          label="Empty"
          what={`Empty ${name}`}
          call={callOf('emptyInbox', { params })}
          loses={`This deletes what “${name}” has received.`}
        />
      </div>
      {!ready && <Waiting problem={problem} />}
      {ready && items.length === 0 && <p class="soft">Empty.</p>}
      {items.toReversed().map(({ at, event, verified, app, organization, headers, raw }, index) => (
        <section class="attempt" key={items.length - index}>
          <h3>
            {event ?? 'No event'}{' '}
            {verified ? <Status tone="good">signature valid</Status> : <Status tone="warn">no valid signature</Status>}
          </h3>
          <p class="soft small">
            <Moment at={at} of={organization} /> {ownersOf({ app, organization })}
          </p>
          <MessageView title="Request" of={` ${items.length - index}`} message={{ headers, body: raw }} />
        </section>
      ))}
    </>
  )
}
