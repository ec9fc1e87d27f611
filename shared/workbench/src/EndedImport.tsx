import { Plural, useLingui } from '@lingui/react/macro'
import type { Import } from '@portal/contracts/imports'
import { formatNumber } from '@portal/i18n/format'
import { Notice } from '@portal/ui/Notice'

/** What came of an import. */
export function EndedImport({ found }: { found: Import }) {
  const { t } = useLingui()
  if (found.state === 'failed')
    return (
      <Notice tone="bad" alert title={t`Nothing was imported.`}>
        {found.problem}
      </Notice>
    )
  if (found.state === 'cancelled')
    return <Notice tone="waiting">{t`The import was cancelled. Nothing was saved.`}</Notice>
  const saved = found.rows_new + found.rows_changed
  const [created, changed, same] = [found.rows_new, found.rows_changed, found.rows_unchanged].map((count) =>
    formatNumber(count),
  )
  return (
    <>
      <Notice
        tone="good"
        title={
          saved > 0 ? (
            <Plural value={saved} one="# row was saved." other="# rows were saved." />
          ) : (
            t`Nothing had to be saved.`
          )
        }
      >
        {t`${created} new, ${changed} changed; ${same} were the same already.`}
      </Notice>
      {found.rows_rejected > 0 && (
        <Notice
          tone="waiting"
          title={
            <Plural value={found.rows_rejected} one="# row was left out." other="# rows were left out." />
          }
        >
          {t`Download the rejected rows, correct them and upload that file.`}
        </Notice>
      )}
    </>
  )
}
