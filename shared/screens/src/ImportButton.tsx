import { Trans } from '@lingui/react/macro'
import type { Endpoint } from '@portal/contracts/endpoint'
import type { Sheet } from '@portal/contracts/imports/sheet'
import type { Permission } from '@portal/contracts/permissions'
import { storage } from '@portal/contracts/storage'
import { useCan, useHost } from '@portal/sdk'
import { Button, ButtonLink } from '@portal/ui/Button'
import { pageLink } from './ListPage.tsx'
import { useDownload } from './useDownload.tsx'

type Props = {
  /** What the file holds; its name is that of the sample. */
  sheet: Pick<Sheet, 'name'>
  permission: Permission
  /** The page with the workbench. */
  to: string
}

/** The way to the import of a list, with its sample beside it. */
export function ImportButton({ sheet, permission, to }: Props) {
  const can = useCan()
  if (!can(permission)) return null
  return (
    <>
      <SampleButton sheet={sheet} />
      <ButtonLink href={to} icon="upload" renderLink={pageLink}>
        <Trans>Import</Trans>
      </ButtonLink>
    </>
  )
}

type RecordsProps = {
  /** The call of the collection: `visits.import`. */
  endpoint: Endpoint
  permission: Permission
}

/** The way to the portal's page on which records of a module are imported from Excel. */
export function ImportRecordsButton({ endpoint, permission }: RecordsProps) {
  const can = useCan()
  const [, module, collection] = /^\/modules\/([^/]+)\/records\/([^/]+)\//.exec(endpoint.path) ?? []
  if (!can(permission)) return null
  return (
    <ButtonLink href={`/home/records?of=${module}.${collection}`} icon="upload" renderLink={pageLink}>
      <Trans>Import</Trans>
    </ButtonLink>
  )
}

type SampleProps = {
  sheet: Pick<Sheet, 'name'>
  /** The call that answers it, if it is not among those of the registers. */
  endpoint?: Endpoint | undefined
  small?: boolean
}

/** Downloads the sample of an import: right headings, example rows, every column explained. */
export function SampleButton({ sheet, endpoint, small }: SampleProps) {
  const { client } = useHost()
  const { busy, download } = useDownload()
  const ask = () =>
    endpoint
      ? client.file(endpoint)
      : client.file(storage.sample, { params: { file_name: `${sheet.name}.xlsx` } })
  return (
    <Button icon="download" small={small} busy={busy} onClick={() => download(ask)}>
      <Trans>Sample</Trans>
    </Button>
  )
}
