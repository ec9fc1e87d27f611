import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { type ModuleFlag, moduleFlags } from '@portal/contracts/module-flags'
import { currentLocale } from '@portal/i18n/locale'
import { lazy } from '@portal/screens/lazy'
import { failureOf } from '@portal/screens/problemText'
import { useDialog } from '@portal/screens/useDialog'
import { useHost, useQuery } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import { DateText, Nothing } from '@portal/ui/Money'
import { type Column, Table } from '@portal/ui/Table'
import { audienceText } from './flag-words.ts'

const FlagDialog = lazy(() => import('./FlagDialog.tsx'), 'FlagDialog')

/** The switches that a module declares, and who has each. A module without any has no such card. */
export function FlagsCard({ name }: { name: string }) {
  const { t } = useLingui()
  const { client } = useHost()
  const { data, error, refetch } = useQuery(queryOf(client, moduleFlags.list, { params: { module: name } }))
  const deciding = useDialog<ModuleFlag>()
  const locale = currentLocale()
  if (!error && !data?.flags.length) return null
  const roles = data?.roles ?? []
  const columns: Column<ModuleFlag>[] = [
    {
      key: 'title',
      header: t`Feature`,
      phone: 'title',
      wrap: true,
      width: '45%',
      cell: ({ title, text }) => (
        <span>
          <span className="strong">{title[locale]}</span>
          <span className="under">{text[locale]}</span>
        </span>
      ),
    },
    {
      key: 'who',
      header: t`Who has it`,
      wrap: true,
      phone: 'note',
      cell: (flag) => audienceText(flag, roles),
    },
    {
      key: 'changed',
      header: t`Decided`,
      wrap: true,
      cell: ({ changed }) =>
        changed ? (
          <span>
            <DateText iso={changed.at} time />
            <span className="under">
              {changed.by.first_name} {changed.by.last_name}
            </span>
          </span>
        ) : (
          <Nothing />
        ),
    },
  ]
  return (
    <Card
      title={t`Features that can be switched`}
      text={t`What you decide counts when the module is loaded the next time.`}
    >
      <Table
        label={t`Features that can be switched`}
        columns={columns}
        rows={data?.flags}
        rowKey={({ id }) => id}
        rowName={({ title }) => title[locale]}
        empty={t`No data available`}
        failure={data ? null : failureOf(error, refetch)}
        rowActions={(flag) => [
          { label: t`Decide who has it`, icon: 'pencil', onSelect: () => deciding.open(flag) },
        ]}
      />
      {deciding.item && (
        <FlagDialog module={name} flag={deciding.item} roles={roles} onClose={deciding.close} />
      )}
    </Card>
  )
}
