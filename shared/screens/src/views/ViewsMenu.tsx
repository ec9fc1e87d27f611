import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { queryOf } from '@portal/client/query'
import { savedViews } from '@portal/contracts/saved-views'
import { useHost, useQuery } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Menu, type MenuItem } from '@portal/ui/Menu'
import { useLocation } from 'react-router-dom'
import { lazy } from '../lazy.tsx'
import { problemText } from '../problemText.tsx'
import { useDialog } from '../useDialog.tsx'
import type { List } from '../useList.tsx'
import './words.ts'

const SaveViewDialog = lazy(() => import('./SaveViewDialog.tsx'), 'SaveViewDialog')
const ViewsDialog = lazy(() => import('./ViewsDialog.tsx'), 'ViewsDialog')

/** A list is known by the address of its page, with `:id` instead of numbers. */
const listAt = (pathname: string) => pathname.replace(/\/\d+(?=\/|$)/g, '/:id').replace(/\/$/, '')

/** The person's own views of a list, open when it is first drawn, and the ways to save and to change them. */
export function ViewsMenu({ list }: { list: List<unknown> }) {
  const { t } = useLingui()
  const { client } = useHost()
  const at = listAt(useLocation().pathname)
  const { data, error, refetch } = useQuery(queryOf(client, savedViews.list, { query: { list: at } }))
  const saving = useDialog()
  const changing = useDialog()
  const views = data?.views ?? []
  const failed = !data && error
  const items: MenuItem[] = views.map(({ id, name, query }) => ({
    key: `${id}`,
    label: name,
    checked: query === list.query,
    onSelect: () => show(list, query),
  }))
  const head = failed
    ? problemText(asProblem(error))
    : !data
      ? t`Loading your views…`
      : views.length === 0 && t`No view of this list is saved yet.`
  if (failed) items.push({ key: 'retry', label: t`Try again`, icon: 'retry', onSelect: () => void refetch() })
  items.push({
    key: 'save',
    label: t`Save this view…`,
    icon: 'plus',
    apart: views.length > 0,
    onSelect: () => saving.open(true),
  })
  if (views.length > 0)
    items.push({
      key: 'change',
      label: t`Rename or delete…`,
      icon: 'pencil',
      onSelect: () => changing.open(true),
    })
  return (
    <>
      <Menu
        opened
        head={head}
        items={items}
        trigger={
          <Button icon="bookmark" className="views-button">
            <Trans>Views</Trans>
          </Button>
        }
      />
      {saving.item && <SaveViewDialog list={at} query={list.query} onClose={saving.close} />}
      {changing.item && <ViewsDialog views={views} query={list.query} onClose={changing.close} />}
    </>
  )
}

/** Sets what the view has and clears what else the list is filtered by; whatever else the URL says stays. */
function show(list: List<unknown>, query: string) {
  const cleared = [...new URLSearchParams(list.query).keys()].map((name) => [name, ''])
  list.show({ ...Object.fromEntries(cleared), ...Object.fromEntries(new URLSearchParams(query)) })
}
