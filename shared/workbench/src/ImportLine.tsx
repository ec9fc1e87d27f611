import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type Import, imports } from '@portal/contracts/imports'
import type { ChosenHeadings, Sheet } from '@portal/contracts/imports/sheet'
import { useDownload } from '@portal/screens/useDownload'
import { useHost } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Icon } from '@portal/ui/Icon'
import { DateText } from '@portal/ui/Money'
import { labelOf } from './columns.ts'
import { ImportPill } from './ImportPill.tsx'

/** Which file it is, who sent it and when. */
export function ImportLine({ found, sheet }: { found: Import; sheet: Sheet }) {
  const { t } = useLingui()
  const { client } = useHost()
  const { busy, download } = useDownload()
  const ask = () => client.file(imports.file, { params: { id: found.id } })
  return (
    <section className="card filebox line" aria-label={t`File`}>
      <span className="thumb">
        <Icon name="sheet" />
      </span>
      <div>
        <span className="strong name">{found.file_name}</span> <ImportPill state={found.state} />
        <p className="small muted">
          <Plural value={found.rows_read} one="# row read" other="# rows read" /> ·{' '}
          {found.user && `${found.user.first_name} ${found.user.last_name} · `}
          <DateText iso={found.created_at} time />
        </p>
        <ByHand headings={found.headings} sheet={sheet} />
      </div>
      <Button small icon="download" busy={busy} onClick={() => download(ask)}>
        <Trans>Original file</Trans>
      </Button>
    </section>
  )
}

/** The headings that were named by hand: whoever reviews the rows sees what they were read as. */
function ByHand({ headings, sheet }: { headings: ChosenHeadings; sheet: Sheet }) {
  const named = Object.entries(headings)
  if (named.length === 0) return null
  return (
    <p className="small muted">
      <Trans>Named by hand:</Trans>{' '}
      {named.map(([heading, column], at) => (
        <span key={heading}>
          {at > 0 && ' · '}“{heading}” <Icon name="arrow" size={14} />{' '}
          {column ? labelOf(sheet, column) : <Trans>not imported</Trans>}
        </span>
      ))}
    </p>
  )
}
