import { useSignal } from '@preact/signals'
import { callOf, commandLine, type Organization } from '../api/call.js'
import { dateTime } from '../api/clock.js'
import { useList } from '../api/resource.js'
import { Action } from '../components/action.js'
import { closeRecord } from '../components/address.js'
import { Copy } from '../components/button.js'
import { Facts, Moment, recordLink } from '../components/facts.js'
import { FormAction } from '../components/form.js'
import { actions, type Column, column, Empty, Head, List, ListView, RowLink } from '../components/list.js'
import { Json } from '../components/message.js'
import { CourseTree } from './course-tree.js'

/** The collections that an organization counts, and the people whose names it has. */
const counted = ['users', 'courses', 'modules', 'elements', 'activities', 'installations']

/** Organizations with their contents. console: Views, Organizations */
export function OrganizationsView() {
  return (
    <ListView
      title="Organizations"
      head={
        <>
          <FormAction
            label="Add an organization"
            primary
            call="createOrganization"
            fields={{ slug: { hint: 'Letters, digits, hyphens and underscores.' }, name: {} }}
          />
          <FormAction
            label="Make a sandbox"
            call="createSandbox"
            intro={<p>An organization for one test, with people, which ends by itself.</p>}
            result={(sandbox) => (
              <>
                <p>{recordLink('organizations', sandbox.organization.slug, sandbox.organization.name)} is a sandbox.</p>
                <Json of={sandbox} label="Sandbox" />
              </>
            )}
          />
        </>
      }
      noun="Organization"
      detail={(organization) => <OrganizationDetail key={organization.slug} organization={organization} />}
      columns={columns}
      {...useList('listOrganizations', {}, counted)}
      keyOf={({ slug }) => slug}
      empty={
        <Empty title="No organizations" command={commandLine('organizations create acme Acme')}>
          Add one here or in a terminal:
        </Empty>
      }
    />
  )
}

/** Says when the organization ends by itself, if it is a sandbox. */
function SandboxNote({ slug }: { slug: string }) {
  const sandbox = useList('listSandboxes').items.find(({ organization }) => organization.slug === slug)
  return (
    sandbox && (
      <p class="note warn">
        A sandbox, which ends by itself at {dateTime(sandbox.expires_at)} of the machine’s clock.{' '}
        <Action
          label="End the sandbox"
          what={`End the sandbox ${slug}`}
          call={callOf('deleteSandbox', { params: { id: sandbox.id } })}
          onDone={closeRecord}
          loses="This deletes the organization and everything in it."
        />
      </p>
    )
  )
}

const count = (head: string, name = 'num c-org') =>
  column<Organization>(head, name, ({ counts }) => counts[head.toLowerCase()]?.toLocaleString('en'))

const columns: Column<Organization>[] = [
  column('Organization', 'c-what', ({ slug, name }) => <RowLink id={slug} name={name} path={slug} />),
  count('Members'),
  count('Courses', 'num'),
  count('Modules'),
  count('Elements', 'num'),
  count('Activities'),
  count('Installations'),
]

function OrganizationDetail({ organization }: { organization: Organization }) {
  const { slug, name, members, api_key_last_four, counts, created_at } = organization
  const memberColumns: Column<Organization['members'][number]>[] = [
    column('Member', 'c-what wrap', ({ user, email }) => recordLink('sign-in', user, email)),
    column('Role', 'nowrap', ({ role }) => <span class="tag">{role}</span>),
    actions(({ user, email }) => (
      <Action
        label="Remove"
        what={`Remove ${email}`}
        call={callOf('deleteMember', { params: { slug, user } })}
        loses={`This removes ${email} from ${slug} and revokes the tokens that they granted to apps there.`}
      />
    )),
  ]
  return (
    <>
      <h2 class="exchange">
        <bdi>{name}</bdi> <span class="soft">{slug}</span>
      </h2>
      <SandboxNote slug={slug} />
      <ApiKey slug={slug} lastFour={api_key_last_four} />
      <Facts of={{ Created: <Moment at={created_at} of={slug} /> }} />
      <Head title="Members" level="h3">
        <FormAction
          label="Add or change a member"
          title={`Add or change a member of ${name}`}
          submit="Save"
          call="putMember"
          params={{ slug }}
          initial={{ role: 'learner' }}
        />
      </Head>
      <List
        caption={`Members of ${name}`}
        columns={memberColumns}
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
          onDone={closeRecord}
          loses={`This deletes ${slug} and everything in it (courses: ${counts.courses}, elements: ${counts.elements}, installations: ${counts.installations}).`}
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
          loses={lastFour === null ? undefined : `The key ending in ${lastFour} stops working immediately.`}
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
