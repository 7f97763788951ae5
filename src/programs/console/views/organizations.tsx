import { useList } from '../api/resource.js'
import type { Organization } from '../api/shapes.js'
import { FormAction } from '../parts/form-action.js'
import { type Column, Empty, RowLink } from '../parts/list.js'
import { ListView } from '../parts/view.js'
import { OrganizationDetail } from './organization-detail.js'

/** Organizations with their contents. console: Views, Organizations */
export function OrganizationsView() {
  const { items, ready, problem } = useList('listOrganizations')
  return (
    <ListView
      title="Organizations"
      head={
        <FormAction
          label="Add an organization"
          submit="Add"
          primary
          call="createOrganization"
          fields={{ slug: { hint: 'Letters, digits, hyphens and underscores.' }, name: {} }}
        />
      }
      noun="Organization"
      find={(id) => items.find(({ slug }) => slug === id)}
      detail={(organization) => <OrganizationDetail key={organization.slug} organization={organization} />}
      caption="Organizations"
      columns={columns}
      items={items}
      keyOf={({ slug }) => slug}
      state={{ ready, problem }}
      empty={
        <Empty title="No organizations" command="mockademy start --fresh --fixtures my-world.json">
          Add one here, or start from a fixture document that has some:
        </Empty>
      }
    />
  )
}

const count = (head: string, isAlwaysShown = false): Column<Organization> => ({
  head,
  class: isAlwaysShown ? 'num' : 'num c-org',
  cell: ({ counts }) => counts[head.toLowerCase()]?.toLocaleString('en'),
})

const columns: Column<Organization>[] = [
  {
    head: 'Organization',
    class: 'c-what',
    cell: ({ slug, name }) => (
      <RowLink id={slug}>
        <b>{name}</b> <span class="path">{slug}</span>
      </RowLink>
    ),
  },
  count('Members'),
  count('Courses', true),
  count('Modules'),
  count('Elements', true),
  count('Activities'),
  count('Installations'),
]
