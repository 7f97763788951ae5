import { useSignal } from '@preact/signals'
import { callOf } from '../api/call.js'
import type { Organization } from '../api/shapes.js'
import { Action } from '../parts/action.js'
import { linkTo } from '../parts/address.js'
import { Copy } from '../parts/button.js'
import { Facts, Moment } from '../parts/facts.js'
import { FormAction } from '../parts/form-action.js'
import { actions, List } from '../parts/list.js'
import { CourseTree } from './course-tree.js'

/** One organization with its API key, members and courses. */
export function OrganizationDetail({ organization }: { organization: Organization }) {
  const { slug, name, members, api_key_last_four, counts, created_at } = organization
  return (
    <>
      <h2 class="exchange">
        {name} <span class="soft">{slug}</span>
      </h2>
      <ApiKey slug={slug} lastFour={api_key_last_four} />
      <Facts of={{ Created: <Moment at={created_at} /> }} />
      <div class="head">
        <h3>Members</h3>
        <FormAction
          label="Add or change a member"
          title={`Add or change a member of ${name}`}
          submit="Save"
          call="putMember"
          params={{ slug }}
          initial={{ role: 'learner' }}
        />
      </div>
      <List
        caption={`Members of ${name}`}
        columns={[
          {
            head: 'Member',
            class: 'c-what',
            cell: ({ user, email }) => <a href={linkTo('sign-in', user)}>{email}</a>,
          },
          { head: 'Role', cell: ({ role }) => <span class="tag">{role}</span> },
          {
            ...actions,
            cell: ({ user, email }) => (
              <Action
                label="Remove"
                what={`Remove ${email}`}
                call={callOf('deleteMember', { params: { slug, user } })}
                confirm={{
                  title: 'Remove the member',
                  loses: `This removes ${email} from ${name} and revokes the tokens that they granted to apps there.`,
                }}
              />
            ),
          },
        ]}
        items={members}
        keyOf={({ user }) => user}
        empty={<p class="soft">No members.</p>}
      />
      <h3>Courses</h3>
      <CourseTree slug={slug} elements={counts.elements ?? 0} courses={counts.courses ?? 0} />
      <div class="toolbar">
        <Action
          label="Delete the organization"
          call={callOf('deleteOrganization', { params: { slug } })}
          confirm={{
            title: 'Delete the organization',
            loses: `This deletes ${name} and everything in it (courses: ${counts.courses}, elements: ${counts.elements}, installations: ${counts.installations}).`,
          }}
        />
      </div>
    </>
  )
}

/** The last four characters of the API key; a new one is shown whole, once. */
function ApiKey({ slug, lastFour }: { slug: string; lastFour: string | null }) {
  const made = useSignal('')
  const label = lastFour === null ? 'Generate' : 'Regenerate'
  return (
    <>
      <div class="toolbar">
        <span>API key {lastFour === null ? <span class="soft">none</span> : <code>…{lastFour}</code>}</span>
        <Action
          label={label}
          what={`${label} the API key`}
          call={callOf('generateApiKey', { params: { slug } })}
          onDone={({ api_key }) => {
            made.value = api_key
          }}
          confirm={
            lastFour === null
              ? undefined
              : { title: 'Regenerate the API key', loses: `The key ending in ${lastFour} stops working immediately.` }
          }
        />
      </div>
      {made.value && (
        <p class="note good" role="status">
          The new key, shown only once: <code>{made.value}</code> <Copy text={() => made.value} what="the API key" />
        </p>
      )}
    </>
  )
}
