import { useLingui } from '@lingui/react/macro'
import { partnerFields } from '@portal/contracts/registers/partners.fields'
import { partnersSheet } from '@portal/contracts/registers/partners.sheet'
import { type Partner, partners } from '@portal/contracts/registers-partners'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ImportButton } from '@portal/screens/ImportButton'
import { ListPage } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useLanguageRefetch } from '@portal/screens/useLanguageRefetch'
import { useList } from '@portal/screens/useList'
import { DateText } from '@portal/ui/Money'
import { paths } from '../paths.ts'
import { useFields } from '../useFields.tsx'
import { Names, useWords } from '../words.tsx'

const EditPartnerDialog = lazy(() => import('./EditPartnerDialog.tsx'), 'EditPartnerDialog')

/** The organisations that support schools. */
export default function PartnersPage() {
  const { t } = useLingui()
  const words = useWords()
  const { label, choicesOf, text } = useFields(partnerFields)
  const list = useList(partners.list, 'partners')
  // The server sorts types by their names in the reader's language.
  useLanguageRefetch(partners.list)
  const editing = useDialog<Partner>()
  const columns: Column<Partner>[] = [
    { key: 'name', header: label('name'), sortable: true, wrap: true },
    {
      key: 'email',
      header: t`Email`,
      wrap: true,
      cell: ({ user }) => user.email ?? words.nothing,
    },
    {
      key: 'schools',
      header: t`Schools supported`,
      sortable: true,
      wrap: true,
      cell: (each) => <Names names={each.schools.map(({ name }) => name)} total={each.schools_count} />,
    },
    {
      key: 'partner_type',
      header: label('partner_type'),
      sortable: true,
      wrap: true,
      phone: 'note',
      cell: (each) => text('partner_type', each.partner_type) || words.nothing,
    },
    {
      key: 'partner_since',
      header: label('partner_since'),
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
          {
            name: 'type',
            label: label('partner_type'),
            as: 'select',
            all: t`All types`,
            options: choicesOf('partner_type'),
          },
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
