import { useLingui } from '@lingui/react/macro'
import { partnersSheet } from '@portal/contracts/partners.sheet'
import { type Partner, partners } from '@portal/contracts/registers-partners'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ImportButton } from '@portal/screens/ImportButton'
import { ListPage } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { DateText } from '@portal/ui/Money'
import { paths } from '../paths.ts'
import { choices, nameOf, useOptions } from '../useOptions.tsx'
import { Names, useWords } from '../words.tsx'

const EditPartnerDialog = lazy(() => import('./EditPartnerDialog.tsx'), 'EditPartnerDialog')

/** The organisations that support schools. */
export default function PartnersPage() {
  const { t } = useLingui()
  const words = useWords()
  const { partner_types } = useOptions()
  const list = useList(partners.list, 'partners')
  const editing = useDialog<Partner>()
  const columns: Column<Partner>[] = [
    { key: 'name', header: t`Organisation name`, sortable: true, wrap: true },
    { key: 'email', header: t`Email`, wrap: true, cell: ({ user }) => user.email ?? words.nothing },
    {
      key: 'schools',
      header: t`Schools supported`,
      sortable: true,
      wrap: true,
      cell: (each) => <Names names={each.schools.map(({ name }) => name)} total={each.schools_count} />,
    },
    {
      key: 'partner_type',
      header: t`Type`,
      sortable: true,
      cell: (each) => nameOf(partner_types, each.partner_type, words.nothing),
    },
    {
      key: 'partner_since',
      header: t`Partner since`,
      sortable: true,
      cell: (each) => <DateText iso={each.partner_since} />,
    },
  ]
  return (
    <ListPage
      title={t`Partners`}
      description={t`The organisations of the consortium and the schools they support.`}
      actions={<ImportButton sheet={partnersSheet} permission="partners.import" to={paths.importPartners} />}
    >
      <DataTable
        label={t`Partners`}
        list={list}
        columns={columns}
        empty={t`No data available`}
        search={t`Organisation name or email`}
        filters={[
          { name: 'type', label: t`Type`, as: 'select', all: t`All types`, options: choices(partner_types) },
        ]}
        rowName={({ name }) => name}
        rowActions={(partner) => [
          {
            label: t`Edit`,
            icon: 'pencil',
            permission: 'partners.update',
            onSelect: () => editing.open(partner),
          },
        ]}
      />
      {editing.item && <EditPartnerDialog partner={editing.item} onClose={editing.close} />}
    </ListPage>
  )
}
