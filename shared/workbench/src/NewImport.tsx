import { useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import type { Endpoint } from '@portal/contracts/endpoint'
import { imports } from '@portal/contracts/imports'
import { SampleButton } from '@portal/screens/ImportButton'
import { ListPage } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDirty, useHost, useQuery } from '@portal/sdk'
import { Card } from '@portal/ui/Card'
import { FieldFrame } from '@portal/ui/FieldFrame'
import { FileDrop } from '@portal/ui/FileDrop'
import { useState } from 'react'
import { History } from './History.tsx'
import type { Importing } from './importing.ts'
import { useSurvey } from './reading/useSurvey.tsx'
import { Steps } from './Steps.tsx'
import { useHeadings } from './useHeadings.tsx'
import { useImportAddress } from './useImportAddress.tsx'
import { useUpload } from './useUpload.tsx'

const Chosen = lazy(() => import('./Chosen.tsx'), 'Chosen')

type Props = Importing & { endpoint: Endpoint }

/** A file is chosen, read in this browser and looked at; only then is it sent. */
export function NewImport({ endpoint, kind, of, sample, sheet, title, back, refetches }: Props) {
  const { t } = useLingui()
  const { go } = useImportAddress()
  const [file, setFile] = useState<File | null>(null)
  const { client } = useHost()
  const remembered = useQuery(queryOf(client, imports.headings, { query: { kind, ...of } }))
  const headings = useHeadings(sheet, remembered.data?.headings, remembered.isPending)
  const read = useSurvey(file, headings.sheet)
  const upload = useUpload(endpoint, sheet.field, (id) => go({ import: String(id) }))
  useDirty(upload.sent !== null)
  const choose = (chosen: File | null) => {
    upload.forget()
    setFile(chosen)
  }
  return (
    <ListPage
      title={title}
      description={t`Choose a file: it is read here first, and nothing is saved before you have seen its rows.`}
      back={back}
      actions={<Steps at={read?.survey ? 2 : 1} />}
    >
      {!file || !read ? (
        <Card
          title={t`Excel file (.xlsx or .xls)`}
          text={t`20 MB and 200,000 rows at most. Headings in English or French, in any order.`}
          actions={<SampleButton sheet={sheet} endpoint={sample} />}
          padded
        >
          <FieldFrame label={t`File`}>
            {({ id }) => <FileDrop id={id} file={null} accept=".xlsx,.xls" onFile={choose} />}
          </FieldFrame>
        </Card>
      ) : (
        <Chosen
          file={file}
          sheet={sheet}
          read={read}
          headings={headings}
          upload={upload}
          onFile={choose}
          onClose={() => choose(null)}
        />
      )}
      {!file && <History kind={kind} of={of} refetches={refetches} />}
    </ListPage>
  )
}
