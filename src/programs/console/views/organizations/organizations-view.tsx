import { address, goTo, linkTo } from '../../address.js'
import { useList } from '../../api/resource.js'
import type { Organization } from '../../api/shapes.js'
import { Empty, Waiting } from '../../parts/empty.js'
import { FormAction, given } from '../../parts/form-action.js'
import { Split } from '../../parts/split.js'
import { OrganizationDetail } from './organization-detail.js'

const counted = ['members', 'courses', 'modules', 'elements', 'activities', 'installations']

/** What there is in each organization. console: Views, Organizations */
export function OrganizationsView() {
  const { items, ready, problem } = useList<Organization>('/_admin/organizations', [
    'organizations',
    'memberships',
    'users',
    'courses',
    'modules',
    'elements',
    'activities',
    'installations',
  ])
  const { id } = address.value
  const open = items.find(({ slug }) => slug === id)
  return (
    <Split
      title="Organizations"
      head={
        <FormAction
          label="Add an organization"
          title="Add an organization"
          submit="Add"
          fields={() => [
            { name: 'slug', label: 'Slug', required: true, hint: 'Letters, digits, hyphens and underscores.' },
            { name: 'name', label: 'Name', required: true },
          ]}
          call={({ slug, name }) => ({ method: 'POST', path: '/_admin/organizations', body: given({ slug, name }) })}
        />
      }
      list={
        <>
          {!ready && <Waiting problem={problem} />}
          {ready && items.length === 0 && (
            <Empty title="No organizations" command="mockademy start --fresh --fixtures my-world.json">
              Add one here, or start from a fixture document that has some:
            </Empty>
          )}
          {items.length > 0 && (
            <table>
              <caption class="visually-hidden">Organizations</caption>
              <thead>
                <tr>
                  <th scope="col">Organization</th>
                  {counted.map((name) => (
                    <th
                      key={name}
                      scope="col"
                      class={`num ${name === 'courses' || name === 'elements' ? '' : 'c-org'}`}
                    >
                      {name[0]?.toUpperCase()}
                      {name.slice(1)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {items.map((organization) => (
                  <tr key={organization.slug} class={organization.slug === id ? 'open' : ''}>
                    <td class="c-what">
                      <a
                        data-row
                        href={linkTo('organizations', organization.slug)}
                        aria-current={organization.slug === id ? 'true' : undefined}
                      >
                        <b>{organization.name}</b> <span class="path">{organization.slug}</span>
                      </a>
                    </td>
                    {counted.map((name) => (
                      <td key={name} class={`num ${name === 'courses' || name === 'elements' ? '' : 'c-org'}`}>
                        {organization.counts[name]?.toLocaleString('en')}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </>
      }
      detail={
        id === undefined ? undefined : open ? (
          <OrganizationDetail key={open.slug} organization={open} />
        ) : (
          ready && (
            <Empty title={`Organization ${id} not found`}>It may belong to a world that was reset or replaced.</Empty>
          )
        )
      }
      onClose={() => goTo(linkTo('organizations'))}
    />
  )
}
