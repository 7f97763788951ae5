import { useSignal } from '@preact/signals'
import { linkTo } from '../../address.js'
import type { Organization } from '../../api/shapes.js'
import { Action } from '../../parts/action.js'
import { Copy } from '../../parts/copy.js'
import { Facts, Moment } from '../../parts/facts.js'
import { FormAction } from '../../parts/form-action.js'
import { CourseTree } from './course-tree.js'

const roles = ['owner', 'admin', 'lecturer', 'learner']
const at = (slug: string) => `/_admin/organizations/${encodeURIComponent(slug)}`
const asOptions = (values: string[]) => values.map((value) => ({ value, label: value }))

/** One organization: its API key, its people, its courses. */
export function OrganizationDetail({ organization }: { organization: Organization }) {
  const { slug, name, members, api_key_last_four, counts } = organization
  return (
    <>
      <h2 class="exchange">
        {name} <span class="soft">{slug}</span>
      </h2>
      <ApiKey slug={slug} lastFour={api_key_last_four} />
      <Facts of={[['Created', <Moment key="at" at={organization.created_at} />]]} />
      <div class="head">
        <h3>Members</h3>
        <FormAction
          label="Add or change a member"
          title={`Add or change a member of ${name}`}
          small
          quiet
          submit="Save"
          initial={{ role: 'learner' }}
          fields={() => [
            { name: 'user', label: 'User', required: true, hint: 'ID or email address.' },
            { name: 'role', label: 'Role', required: true, options: asOptions(roles) },
          ]}
          call={({ user = '', role }) => ({
            method: 'PUT',
            path: `${at(slug)}/members/${encodeURIComponent(user)}`,
            body: { role },
          })}
        />
      </div>
      <table>
        <caption class="visually-hidden">Members of {name}</caption>
        <tbody>
          {members.map((member) => (
            <tr key={member.user}>
              <td class="c-what">
                <a href={linkTo('sign-in', member.user)}>{member.email}</a>
              </td>
              <td>
                <span class="tag">{member.role}</span>
              </td>
              <td class="c-actions">
                <Action
                  label="Remove"
                  what={`Remove ${member.email}`}
                  call={{ method: 'DELETE', path: `${at(slug)}/members/${encodeURIComponent(member.user)}` }}
                  confirm={{
                    title: 'Remove the member',
                    loses: `This removes ${member.email} from ${name} and revokes the tokens that they granted to apps there.`,
                  }}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>Courses</h3>
      <CourseTree slug={slug} elements={counts.elements ?? 0} courses={counts.courses ?? 0} />
      <div class="toolbar">
        <Action
          label="Delete the organization"
          call={{ method: 'DELETE', path: at(slug) }}
          confirm={{
            title: 'Delete the organization',
            loses: `This deletes ${name} and everything in it (courses: ${counts.courses}, elements: ${counts.elements}, installations: ${counts.installations}).`,
          }}
        />
      </div>
    </>
  )
}

/** The last four characters of the key; a new one is shown whole, this once. */
function ApiKey({ slug, lastFour }: { slug: string; lastFour: string | null }) {
  const made = useSignal<string | undefined>(undefined)
  return (
    <>
      <div class="toolbar">
        <span>API key {lastFour === null ? <span class="soft">none</span> : <code>…{lastFour}</code>}</span>
        <Action
          label={lastFour === null ? 'Generate' : 'Regenerate'}
          what={lastFour === null ? 'Generate the API key' : 'Regenerate the API key'}
          call={{ method: 'POST', path: `${at(slug)}/api-key` }}
          onDone={(answer) => {
            made.value = (answer as { api_key: string }).api_key
          }}
          {...(lastFour !== null && {
            confirm: {
              title: 'Regenerate the API key',
              loses: `The key ending in ${lastFour} stops working immediately.`,
            },
          })}
        />
      </div>
      {made.value && (
        <p class="note good" role="status">
          The new key, shown only once: <code>{made.value}</code>{' '}
          <Copy text={() => made.value ?? ''} what="the API key" />
        </p>
      )}
    </>
  )
}
