import { useLingui } from '@lingui/react/macro'
import { type Boundary, geography } from '@portal/contracts/registers/geography'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ListPage } from '@portal/screens/ListPage'
import { useList } from '@portal/screens/useList'
import { cascade } from '../cascade.ts'
import { idChoices, useOptions } from '../useOptions.tsx'

/** The CAPs with their AE and region, as the ministry has them: read, never changed here. */
export default function BoundariesPage() {
  const { t } = useLingui()
  const { regions, academies } = useOptions()
  const list = cascade(useList(geography.boundaries, 'locations'), ['region', 'academy'])
  const region = Number(list.view.filter('region'))
  const columns: Column<Boundary>[] = [
    { key: 'name', header: t`CAP`, sortable: true, wrap: true, cell: (each) => <Cap boundary={each} /> },
    {
      key: 'academy',
      header: t`AE`,
      sortable: true,
      wrap: true,
      phone: 'note',
      cell: ({ academy }) => academy.name,
    },
    {
      key: 'region',
      header: t`Region`,
      sortable: true,
      wrap: true,
      phone: 'main',
      cell: ({ academy }) => academy.location.name,
    },
  ]
  return (
    <ListPage
      title={t`School boundaries`}
      description={t`CAP, AE and region, as the ministry of education draws them. Forms do not offer an inactive CAP.`}
    >
      <DataTable
        label={t`School boundaries`}
        list={list}
        columns={columns}
        empty={t`No data available`}
        search={t`CAP or AE`}
        filters={[
          {
            name: 'region',
            label: t`Region`,
            as: 'select',
            all: t`All regions`,
            options: idChoices(regions),
          },
          {
            name: 'academy',
            label: t`AE`,
            as: 'select',
            all: t`All AEs`,
            options: idChoices(academies.filter((each) => !region || each.region_id === region)),
          },
          {
            name: 'active',
            label: t`Status`,
            options: [
              { value: 'true', label: t`Active` },
              { value: 'false', label: t`Inactive` },
            ],
          },
        ]}
      />
    </ListPage>
  )
}

/** An inactive CAP is red and bold (Registers 2.3), and says so in a word. */
function Cap({ boundary: { name, active } }: { boundary: Boundary }) {
  const { t } = useLingui()
  if (active) return name
  return (
    <strong className="inactive">
      {name} <small>({t`inactive`})</small>
    </strong>
  )
}
