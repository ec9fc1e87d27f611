import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import type { AnswerOf } from '@portal/contracts/endpoint'
import { type ModuleToken, moduleTokens } from '@portal/contracts/module-tokens'
import { currentLocale } from '@portal/i18n/locale'
import { lazy } from '@portal/screens/lazy'
import { failureOf } from '@portal/screens/problemText'
import { useDialog } from '@portal/screens/useDialog'
import { useHost, useQuery } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { DateText } from '@portal/ui/Money'
import { StatusPill } from '@portal/ui/StatusPill'
import { type Column, Table } from '@portal/ui/Table'
import type { Named } from './CreateTokenDialog.tsx'

const CreateTokenDialog = lazy(() => import('./CreateTokenDialog.tsx'), 'CreateTokenDialog')
const NewTokenDialog = lazy(() => import('./NewTokenDialog.tsx'), 'NewTokenDialog')
const RevokeServerDialog = lazy(() => import('./RevokeServerDialog.tsx'), 'RevokeServerDialog')

const named = (all: AnswerOf<typeof moduleTokens.list>['collections']): Named[] =>
  all.map(({ name, label }) => ({ name, title: label?.[currentLocale()] ?? name }))

/** The tokens of a module, with which servers of its team call for its records. Nothing is drawn for a module without records. */
export function TokensCard({ module }: { module: string }) {
  const { t } = useLingui()
  const { client } = useHost()
  const { data, error, refetch } = useQuery(queryOf(client, moduleTokens.list, { params: { module } }))
  const creating = useDialog()
  const created = useDialog<{ name: string; token: string }>()
  const revoking = useDialog<ModuleToken>()
  const collections = named(data?.collections ?? [])
  const columns = useTokenColumns(collections)
  if (data && data.tokens.length + collections.length === 0) return null
  return (
    <Card
      title={t`Tokens for servers`}
      text={t`With a token, a server of the team reads and writes records of this module, and nothing else.`}
      padded={false}
      actions={
        collections.length > 0 && (
          <Button small icon="plus" onClick={() => creating.open(true)}>
            <Trans>Make a token</Trans>
          </Button>
        )
      }
    >
      <Table
        label={t`Tokens for servers`}
        columns={columns}
        rows={data?.tokens}
        rowKey={(token) => token.id}
        rowName={(token) => token.name}
        empty={{ title: t`No server calls in`, text: t`Make a token once its team asks for one.` }}
        failure={data ? null : failureOf(error, refetch)}
        rowActions={(token) =>
          stateOf(token) === 'active'
            ? [{ label: t`Revoke`, icon: 'stop', danger: true, onSelect: () => revoking.open(token) }]
            : []
        }
      />
      {creating.item && (
        <CreateTokenDialog
          module={module}
          collections={collections}
          onCreated={created.open}
          onClose={creating.close}
        />
      )}
      {created.item && <NewTokenDialog {...created.item} onClose={created.close} />}
      {revoking.item && <RevokeServerDialog module={module} token={revoking.item} onClose={revoking.close} />}
    </Card>
  )
}

const stateOf = ({ revoked_at, expires_at }: ModuleToken) =>
  revoked_at ? 'revoked' : new Date(expires_at).getTime() < Date.now() ? 'expired' : 'active'

function useTokenColumns(collections: readonly Named[]): Column<ModuleToken>[] {
  const { t } = useLingui()
  const titles = (names: string[]) =>
    names.map((name) => collections.find((each) => each.name === name)?.title ?? name).join(', ')
  return [
    { key: 'name', header: t`Server`, wrap: true },
    { key: 'state', header: t`Status`, phone: 'main', cell: (token) => <TokenPill token={token} /> },
    {
      key: 'read',
      header: t`May read`,
      wrap: true,
      cell: ({ read, write }) => titles([...new Set([...read, ...write])]),
    },
    { key: 'write', header: t`May write`, wrap: true, cell: ({ write }) => titles(write) || '–' },
    { key: 'expires_at', header: t`Ends`, cell: ({ expires_at }) => <DateText iso={expires_at} /> },
    {
      key: 'last_used_at',
      header: t`Last call`,
      phone: 'note',
      cell: ({ last_used_at }) =>
        last_used_at ? <DateText iso={last_used_at} time /> : <span className="muted">{t`no call yet`}</span>,
    },
    { key: 'user', header: t`Made by`, cell: ({ user }) => `${user.first_name} ${user.last_name}` },
  ]
}

function TokenPill({ token }: { token: ModuleToken }) {
  const { t } = useLingui()
  const state = stateOf(token)
  if (state === 'revoked') return <StatusPill tone="bad">{t`Revoked`}</StatusPill>
  if (state === 'expired') return <StatusPill tone="waiting">{t`Expired`}</StatusPill>
  return <StatusPill tone="good">{t`Active`}</StatusPill>
}
