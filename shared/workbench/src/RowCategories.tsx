import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type Import, imports, type RowCategory } from '@portal/contracts/imports'
import type { Sheet } from '@portal/contracts/imports/sheet'
import { pageLink } from '@portal/screens/ListPage'
import { useDownload } from '@portal/screens/useDownload'
import { useHost } from '@portal/sdk'
import { Blank } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'
import { Tabs } from '@portal/ui/Filters'
import { usePhone } from '@portal/ui/usePhone'
import { useEffect, useRef } from 'react'
import { CategoryRows } from './CategoryRows.tsx'
import { RejectedGroups } from './RejectedGroups.tsx'
import type { Corrections } from './useCorrections.tsx'
import { useImportAddress } from './useImportAddress.tsx'

type Category = RowCategory | 'unchanged'

type Props = {
  found: Import
  sheet: Sheet
  /** Absent once the import has ended: then there is nothing to correct. */
  corrections?: Corrections
}

/** The rows of the file, one category per tab with its count. Which tab is open stands in the address. */
export function RowCategories({ found, sheet, corrections }: Props) {
  const { t } = useLingui()
  const phone = usePhone()
  const { url, href, go } = useImportAddress()
  const categories: { kind: Category; label: string; count: number }[] = [
    { kind: 'new', label: t({ context: 'rows of a file', message: 'New' }), count: found.rows_new },
    {
      kind: 'changed',
      label: t({ context: 'rows of a file', message: 'Changed' }),
      count: found.rows_changed,
    },
    {
      kind: 'unchanged',
      label: t({ context: 'rows of a file', message: 'Unchanged' }),
      count: found.rows_unchanged,
    },
    {
      kind: 'duplicate',
      label: t({ context: 'rows of a file', message: 'Duplicate' }),
      count: found.rows_duplicate,
    },
    {
      kind: 'rejected',
      label: t({ context: 'rows of a file', message: 'Rejected' }),
      count: found.rows_rejected,
    },
  ]
  const asked = categories.find(({ kind }) => kind === url.get('kind'))
  const first = ['rejected', 'new', 'changed', 'unchanged'].find((kind) =>
    categories.some((category) => category.kind === kind && category.count > 0),
  )
  const wanted = first ?? 'duplicate'
  const import_ = String(found.id)
  const open = asked?.kind
  const count = asked?.count ?? 0
  const hadRows = useRef<Category | undefined>(undefined)
  // An address without a tab is completed, and a tab is left once the last of its rows has been corrected.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the tab and its count lead elsewhere
  useEffect(() => {
    if (!open || (count === 0 && hadRows.current === open))
      go({ import: import_, kind: wanted }, { replace: true, preventScrollReset: true })
    hadRows.current = count > 0 ? open : undefined
  }, [open, count])
  const tabs = useRef<HTMLElement>(null)
  // On a phone the tabs do not fit beside each other.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is what comes into view
  useEffect(() => {
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView?.({ inline: 'center', block: 'nearest' })
  }, [open])
  if (!asked) return null
  const rejected = found.rows_rejected > 0 && <RejectedButton id={found.id} />
  return (
    <section ref={tabs} className="card" aria-label={t`Rows`}>
      <Tabs
        label={t`Rows`}
        renderLink={pageLink}
        tabs={categories.map(({ kind, label, count }) => ({
          href: href({ import: import_, kind }),
          label,
          count,
          bad: kind === 'rejected' && count > 0,
          current: kind === asked.kind,
        }))}
        end={!phone && rejected}
      />
      {phone && rejected}
      {asked.count === 0 ? (
        <Blank title={<Trans>No row of the file is in this category</Trans>} />
      ) : asked.kind === 'unchanged' ? (
        <Blank
          icon="check"
          title={<Plural value={asked.count} one="# row is the same" other="# rows are the same" />}
          text={
            <Trans>They are in the register with these values already; nothing is written for them.</Trans>
          }
        />
      ) : asked.kind === 'rejected' ? (
        <RejectedGroups found={found} sheet={sheet} corrections={corrections} />
      ) : (
        <CategoryRows
          key={asked.kind}
          id={found.id}
          kind={asked.kind}
          sheet={sheet}
          corrections={corrections}
        />
      )}
    </section>
  )
}

/** The rejected rows as a workbook with a column that says what is wrong, to correct and upload again. */
function RejectedButton({ id }: { id: number }) {
  const { client } = useHost()
  const { busy, download } = useDownload()
  const ask = () => client.file(imports.rejected, { params: { id } })
  return (
    <span className="tabs-end">
      <Button small icon="download" busy={busy} onClick={() => download(ask)}>
        <Trans>Rejected rows (Excel)</Trans>
      </Button>
    </span>
  )
}
