import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { startPage } from '@portal/contracts/access/start-page'
import { type SavedView, savedViews } from '@portal/contracts/saved-views'
import { currentLocale } from '@portal/i18n/locale'
import { failureOf } from '@portal/screens/problemText'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost, useQuery, useSession } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { Notice } from '@portal/ui/Notice'
import { SelectField } from '@portal/ui/SelectField'
import { Failed } from '@portal/ui/Table'
import { pagesOf, sectionsFor } from '../sections.ts'
import { FormCard } from './FormCard.tsx'
import { useStored } from './useStored.ts'

/** The page that opens after signing in: one of the menu, or a saved view of such a page (Access 4.4). */
export function StartCard() {
  const { t } = useLingui()
  const { client } = useHost()
  const chosen = useQuery(queryOf(client, startPage.read))
  const saved = useQuery(queryOf(client, savedViews.list, {}))
  if (chosen.data && saved.data) {
    const { start } = chosen.data
    return <StartForm start={start} views={saved.data.views} />
  }
  const failure = failureOf(chosen.error ?? saved.error, () => {
    void chosen.refetch()
    void saved.refetch()
  })
  return (
    failure && (
      <Card title={t`After signing in`}>
        <Failed {...failure} />
      </Card>
    )
  )
}

function StartForm({ start, views }: { start: string; views: readonly SavedView[] }) {
  const { t } = useLingui()
  const options = useOptions(views)
  const open = options.some(({ value }) => value === start)
  const stored = { start: open ? start : '' }
  const form = useEndpointForm(startPage.choose, { defaults: stored, refetches: [startPage.read] })
  useStored(form, stored)
  return (
    <FormCard
      title={t`After signing in`}
      form={form}
      actions={
        <Button type="submit" busy={form.busy} disabled={!form.dirty}>
          <Trans>Save</Trans>
        </Button>
      }
    >
      {!open && (
        <Notice tone="waiting">
          {t`The page that you chose is not open to you any more, so home opens. Choose another one.`}
        </Notice>
      )}
      <SelectField
        control={form.control}
        name="start"
        label={t`Page to begin with`}
        help={t`A page of your menu, or a view that you saved beside the filters of a list.`}
        placeholder={false}
        options={options}
      />
    </FormCard>
  )
}

/** The pages that she may open, each followed by her views of it. */
function useOptions(views: readonly SavedView[]) {
  const { permissions } = useSession()
  const locale = currentLocale()
  return pagesOf(sectionsFor(permissions)).flatMap(({ path, label, section }) => {
    const name = section ? `${section[locale]} › ${label[locale]}` : label[locale]
    return [
      path === '/home' ? { value: '', label: label[locale] } : { value: path, label: name },
      ...views
        .filter(({ list }) => list === path)
        .map((view) => ({ value: `view:${view.id}`, label: `${name} › ${view.name}` })),
    ]
  })
}
