import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { type Import, imports } from '@portal/contracts/imports'
import { exportFailed, saveFile } from '@portal/screens/ExportButton'
import { useHost } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Icon } from '@portal/ui/Icon'
import { DateText } from '@portal/ui/Money'
import { ImportPill } from './ImportPill.tsx'

/** Which file it is, who sent it and when. */
export function ImportLine({ found }: { found: Import }) {
  const { t } = useLingui()
  const { client, notify } = useHost()
  const download = async () => {
    try {
      const file = await client.file(imports.file, { params: { id: found.id } })
      if (file.ready) saveFile(file.blob, file.name)
    } catch (thrown) {
      exportFailed(notify)(asProblem(thrown))
    }
  }
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
      </div>
      <Button small icon="download" onClick={() => void download()}>
        <Trans>Original file</Trans>
      </Button>
    </section>
  )
}
