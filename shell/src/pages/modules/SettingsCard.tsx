import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { type ModuleSetting, moduleSettings } from '@portal/contracts/module-settings'
import { currentLocale } from '@portal/i18n/locale'
import { lazy } from '@portal/screens/lazy'
import { failureOf } from '@portal/screens/problemText'
import { useDialog } from '@portal/screens/useDialog'
import { useHost, useQuery } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { DateText } from '@portal/ui/Money'
import { type Column, Table } from '@portal/ui/Table'
import { useSettingText } from './setting-words.ts'

const SettingsDialog = lazy(() => import('./SettingsDialog.tsx'), 'SettingsDialog')

/** The settings that a module declares, and what they are. A module without any has no such card. */
export function SettingsCard({ name }: { name: string }) {
  const { t } = useLingui()
  const { client } = useHost()
  const { data, error, refetch } = useQuery(
    queryOf(client, moduleSettings.read, { params: { module: name } }),
  )
  const changing = useDialog<true>()
  const textOf = useSettingText()
  const locale = currentLocale()
  if (!error && !data?.settings.length) return null
  const columns: Column<ModuleSetting>[] = [
    {
      key: 'label',
      header: t`Setting`,
      phone: 'title',
      wrap: true,
      width: '55%',
      cell: ({ label, text }) => (
        <span>
          <span className="strong">{label[locale]}</span>
          {text && <span className="under">{text[locale]}</span>}
        </span>
      ),
    },
    { key: 'value', header: t`Value`, wrap: true, cell: (setting) => textOf(setting, setting.value) },
    {
      key: 'default',
      header: t`Unless changed`,
      wrap: true,
      cell: (setting) => textOf(setting, setting.default),
    },
  ]
  const changed = data?.changed
  return (
    <Card
      title={t`Settings of the module`}
      text={
        changed ? (
          <Trans>
            Changed by {changed.by.first_name} {changed.by.last_name} on <DateText iso={changed.at} time />.
            It counts when the module is loaded the next time.
          </Trans>
        ) : (
          t`Everybody who is signed in can read them, so passwords and keys do not belong here.`
        )
      }
      actions={
        data && (
          <Button icon="pencil" onClick={() => changing.open(true)}>
            <Trans>Change settings</Trans>
          </Button>
        )
      }
    >
      <Table
        label={t`Settings of the module`}
        columns={columns}
        rows={data?.settings}
        rowKey={(setting) => setting.name}
        rowName={({ label }) => label[locale]}
        empty={t`No data available`}
        failure={data ? null : failureOf(error, refetch)}
      />
      {changing.item && data && (
        <SettingsDialog
          module={name}
          settings={data.settings}
          version={data.version}
          onClose={changing.close}
        />
      )}
    </Card>
  )
}
