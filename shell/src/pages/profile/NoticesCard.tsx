import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import {
  mailTimes,
  mailTimeWords,
  type NoticeKind,
  type NoticePreferences,
  noticeKinds,
  noticeWords,
} from '@portal/contracts/notices'
import { notifications } from '@portal/contracts/notifications'
import type { Text } from '@portal/contracts/text'
import { currentLocale } from '@portal/i18n/locale'
import { failureOf } from '@portal/screens/problemText'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost, useQuery } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Icon } from '@portal/ui/Icon'
import { type Column, Failed, Table } from '@portal/ui/Table'
import { FormCard } from './FormCard.tsx'
import { useStored } from './useStored.ts'

/** How what waits for a person reaches them: nothing is shown to whom no kind of notice can reach (Messages 4.5). */
export function NoticesCard() {
  const { t } = useLingui()
  const { client } = useHost()
  const { data, error, refetch } = useQuery(queryOf(client, notifications.preferences))
  if (data) {
    const some = Object.keys(data.preferences).length > 0
    return some && <NoticesForm {...data} />
  }
  const failure = failureOf(error, refetch)
  return (
    failure && (
      <Card title={t`What waits for you`}>
        <Failed {...failure} />
      </Card>
    )
  )
}

type Props = { preferences: NoticePreferences; titles: Record<string, Text> }

function NoticesForm({ preferences, titles }: Props) {
  const { t } = useLingui()
  const form = useEndpointForm(notifications.prefer, {
    defaults: preferences,
    refetches: [notifications.preferences],
  })
  useStored(form, preferences)
  const { register } = form.fields
  const locale = currentLocale()
  const word = ({ words }: Row) => words[locale]
  const columns: Column<Row>[] = [
    { key: 'kind', header: t`What happened`, phone: 'title', wrap: true, cell: word },
    {
      key: 'bell',
      header: t`On the bell`,
      cell: (row) => (
        <label className="choose">
          <input
            type="checkbox"
            aria-label={`${t`On the bell`}: ${word(row)}`}
            {...register(`${row.field}.bell`)}
          />
        </label>
      ),
    },
    {
      key: 'mail',
      header: t`By e-mail`,
      // A select has the width of its cell, whatever its words need.
      width: '230px',
      cell: (row) => (
        <span className="select">
          <select
            className="input"
            aria-label={`${t`By e-mail`}: ${word(row)}`}
            {...register(`${row.field}.mail`)}
          >
            {mailTimes.map((time) => (
              <option key={time} value={time}>
                {mailTimeWords[time][locale]}
              </option>
            ))}
          </select>
          <Icon name="down" size={16} />
        </span>
      ),
    },
  ]
  return (
    <FormCard
      title={t`What waits for you`}
      text={t`The bell shows what happened in the portal. An e-mail leaves at once, or one for all of a day in the morning.`}
      form={form}
      actions={
        <Button type="submit" busy={form.busy} disabled={!form.dirty}>
          <Trans>Save</Trans>
        </Button>
      }
    >
      <Table
        label={t`What waits for you`}
        columns={columns}
        rows={rowsOf(preferences, titles)}
        rowKey={({ field }) => field}
        empty={t`No data available`}
      />
    </FormCard>
  )
}

/** A kind of notices, or a module with all of its notices: where the form has it, and what it is called. */
type Row = { field: NoticeKind | `modules.${string}`; words: Text }

function rowsOf(preferences: NoticePreferences, titles: Record<string, Text>): Row[] {
  const kinds = noticeKinds.filter((kind) => preferences[kind])
  const modules = Object.keys(preferences.modules ?? {})
  return [
    ...kinds.map((kind) => ({ field: kind, words: noticeWords[kind] })),
    ...modules.map((name) => ({
      field: `modules.${name}` as const,
      words: noticesOf(titles[name] ?? { en: name, fr: name }),
    })),
  ]
}

const noticesOf = ({ en, fr }: Text): Text => ({ en: `Notices of “${en}”`, fr: `Avis de « ${fr} »` })
