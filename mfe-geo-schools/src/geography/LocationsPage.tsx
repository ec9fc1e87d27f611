import { useLingui } from '@lingui/react/macro'
import { geography, type Location } from '@portal/contracts/registers/geography'
import { locationsSheet } from '@portal/contracts/registers/locations.sheet'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ImportButton } from '@portal/screens/ImportButton'
import { ListPage } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { cascade } from '../cascade.ts'
import { paths } from '../paths.ts'
import { idChoices, useOptions } from '../useOptions.tsx'

const EditLocationDialog = lazy(() => import('./EditLocationDialog.tsx'), 'EditLocationDialog')

/** The arrondissements with what they lie in; names are upper case. */
export default function LocationsPage() {
  const { t } = useLingui()
  const { regions, cercles } = useOptions()
  const list = cascade(useList(geography.locations, 'locations'), ['region', 'cercle'])
  const editing = useDialog<Location>()
  const region = Number(list.view.filter('region'))
  const upper = (name: string) => name.toUpperCase()
  const columns: Column<Location>[] = [
    { key: 'name', header: t`Arrondissement`, sortable: true, wrap: true, cell: (each) => upper(each.name) },
    {
      key: 'commune',
      header: t`Commune`,
      sortable: true,
      wrap: true,
      phone: 'note',
      cell: ({ commune }) => upper(commune.name),
    },
    {
      key: 'cercle',
      header: t`Cercle`,
      sortable: true,
      wrap: true,
      phone: 'note',
      cell: ({ commune }) => upper(commune.cercle.name),
    },
    {
      key: 'region',
      header: t`Region`,
      sortable: true,
      wrap: true,
      phone: 'main',
      cell: ({ commune }) => upper(commune.cercle.region.name),
    },
  ]
  return (
    <ListPage
      title={t`Locations`}
      description={t`Where schools stand: arrondissement, commune, cercle and region.`}
      actions={
        <ImportButton sheet={locationsSheet} permission="locations.import" to={paths.importLocations} />
      }
    >
      <DataTable
        label={t`Locations`}
        list={list}
        columns={columns}
        empty={t`No data available`}
        search={t`Arrondissement, commune or cercle`}
        filters={[
          {
            name: 'region',
            label: t`Region`,
            as: 'select',
            all: t`All regions`,
            options: idChoices(regions),
          },
          {
            name: 'cercle',
            label: t`Cercle`,
            as: 'select',
            all: t`All cercles`,
            options: idChoices(cercles.filter((each) => !region || each.region_id === region)),
          },
        ]}
        rowName={({ name }) => name}
        rowActions={(location) => [
          {
            label: t`Edit`,
            icon: 'pencil',
            permission: 'locations.update',
            onSelect: () => editing.open(location),
          },
        ]}
      />
      {editing.item && <EditLocationDialog location={editing.item} onClose={editing.close} />}
    </ListPage>
  )
}
