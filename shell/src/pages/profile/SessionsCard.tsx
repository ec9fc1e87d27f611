import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { type OwnSession, session } from '@portal/contracts/session'
import { browserName } from '@portal/i18n/browser'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { failureOf } from '@portal/screens/problemText'
import { useDialog } from '@portal/screens/useDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost, useQuery } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { DateText, Nothing } from '@portal/ui/Money'
import { StatusPill } from '@portal/ui/StatusPill'
import { type Column, Table } from '@portal/ui/Table'

/** Where this person is signed in, with a way to sign out elsewhere. */
export function SessionsCard() {
  const { t } = useLingui()
  const { client } = useHost()
  const { data, error, refetch } = useQuery(queryOf(client, session.list))
  const ending = useDialog<OwnSession>()
  const columns: Column<OwnSession>[] = [
    { key: 'user_agent', header: t`Device`, wrap: true, cell: deviceOf },
    { key: 'ip', header: t`IP` },
    {
      key: 'created_at',
      header: t`Signed in`,
      cell: ({ created_at }) => <DateText iso={created_at} time />,
    },
    {
      key: 'last_seen_at',
      header: t`Last used`,
      cell: ({ last_seen_at }) => <DateText iso={last_seen_at} time />,
    },
    {
      key: 'current',
      header: <span className="hidden-visually">{t`Actions`}</span>,
      label: t`Actions`,
      align: 'right',
      cell: (row) =>
        row.current ? (
          <StatusPill tone="good">{t`This device`}</StatusPill>
        ) : (
          <Button
            small
            variant="danger"
            icon="logout"
            aria-label={`${t`Sign out`}: ${browserName(row.user_agent ?? '')}`}
            onClick={() => ending.open(row)}
          >
            {t`Sign out`}
          </Button>
        ),
    },
  ]
  return (
    <Card
      title={t`My sessions`}
      text={t`Every browser that is signed in with your account. If you do not recognise one, sign it out and change your password.`}
    >
      <Table
        label={t`My sessions`}
        columns={columns}
        rows={data?.sessions}
        rowKey={(row) => row.id}
        empty={t`No data available`}
        expected={2}
        failure={data ? null : failureOf(error, refetch)}
      />
      {ending.item && <EndSessionDialog of={ending.item} onClose={ending.close} />}
    </Card>
  )
}

const deviceOf = ({ user_agent }: OwnSession) =>
  user_agent ? <span title={user_agent}>{browserName(user_agent)}</span> : <Nothing />

function EndSessionDialog({ of, onClose }: { of: OwnSession; onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(session.end, {
    params: { id: of.id },
    refetches: [session.list],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={t`Sign out elsewhere`}
      description={[browserName(of.user_agent ?? ''), of.ip].filter(Boolean).join(' · ')}
      form={form}
      onClose={onClose}
      danger
      confirmLabel={t`Sign out this device`}
    >
      <p>
        <Trans>Whoever sits there is signed out at once, and loses what is typed and not saved.</Trans>
      </p>
    </ConfirmDialog>
  )
}
