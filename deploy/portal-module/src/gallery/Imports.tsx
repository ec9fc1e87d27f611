import { useLingui } from '@lingui/react/macro'
import { cases } from '@portal/contracts/cases'
import { schoolsSheet } from '@portal/contracts/registers/schools.sheet'
import { students } from '@portal/contracts/registers-students'
import { DocumentDrop } from '@portal/screens/DocumentDrop'
import { DocumentField } from '@portal/screens/DocumentField'
import { ExportButton, useExportFile } from '@portal/screens/ExportButton'
import { ImportButton, ImportRecordsButton, SampleButton } from '@portal/screens/ImportButton'
import { ImportFigures } from '@portal/screens/ImportFigures'
import { ImportProgress } from '@portal/screens/ImportProgress'
import { RejectedRows } from '@portal/screens/RejectedRows'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { Button } from '@portal/ui/Button'
import { FieldFrame } from '@portal/ui/FieldFrame'
import { FileDrop } from '@portal/ui/FileDrop'
import { useState } from 'react'
import { Shelf, Specimen } from './Specimen.tsx'
import { failing, importAs, importGoingOn, sampleImport } from './samples.ts'

/** Files, exports, and imports in every state. */
export function Imports() {
  const { t } = useLingui()
  const progress = '<ImportProgress id={id} next={…} onEnd={…} />'
  const rejected = {
    ...sampleImport,
    kind: 'target-list' as const,
    state: 'imported' as const,
    rows_imported: 175,
    rows_rejected: 3,
    errors: [
      {
        row: 4,
        column: 'receiver_phone_number',
        value: '6600',
        message: t`This is no number of the country.`,
      },
      {
        row: 9,
        column: 'receiver_phone_number',
        value: '77O1',
        message: t`This is no number of the country.`,
      },
      { row: 12, column: '', value: null, message: t`The row stands twice in the file.` },
    ],
  }
  return (
    <>
      <Files />
      <Shelf title={t`Imports`}>
        <Specimen title={t`An import that goes on`} code={progress} answers={importGoingOn()}>
          <ImportProgress id={1} />
        </Specimen>
        <Specimen title={t`An import while it is read`} code={progress} silent>
          <ImportProgress id={1} />
        </Specimen>
        <Specimen title={t`An import that cannot be read`} code={progress} answers={failing}>
          <ImportProgress id={1} />
        </Specimen>
        <Specimen
          title={t`An import that ended, with rejected rows`}
          code={progress}
          answers={importAs(rejected)}
        >
          <ImportProgress id={1} />
        </Specimen>
        <Specimen
          title={t`An import that failed`}
          code={progress}
          answers={importAs({
            state: 'failed',
            rows_imported: 0,
            rows_duplicate: 0,
            problem: t`The file has no column for the code.`,
          })}
        >
          <ImportProgress id={1} />
        </Specimen>
        <Specimen
          title={t`An import that was cancelled`}
          code={progress}
          answers={importAs({ state: 'cancelled', rows_imported: 0, rows_duplicate: 0 })}
        >
          <ImportProgress id={1} />
        </Specimen>
        <Specimen title={t`What an import found`} code="<ImportFigures found={found} />">
          <ImportFigures found={sampleImport} />
        </Specimen>
        <Specimen title={t`What was rejected, by its reason`} code="<RejectedRows found={found} />">
          <RejectedRows found={rejected} />
        </Specimen>
      </Shelf>
    </>
  )
}

function Files() {
  const { t } = useLingui()
  const { control } = useEndpointForm(cases.create, { refetches: [] })
  return (
    <Shelf title={t`Files, imports and exports`}>
      <Specimen
        title={t`To the page of an import, and its sample`}
        code='<ImportButton sheet={schoolsSheet} permission="schools.import" to={paths.importSchools} />'
      >
        <ImportButton sheet={schoolsSheet} permission="schools.import" to="/import" />
      </Specimen>
      <Specimen
        title={t`To the import of a module’s own records`}
        code='<ImportRecordsButton endpoint={visits.import} permission="clinics.record" />'
      >
        <ImportRecordsButton
          endpoint={{ ...cases.create, path: '/modules/mfe-health/records/visits/import' }}
          permission="students.import"
        />
      </Specimen>
      <Specimen title={t`The sample by itself`} code="<SampleButton sheet={schoolsSheet} small />">
        <SampleButton sheet={schoolsSheet} small />
      </Specimen>
      <Specimen
        title={t`What a list shows, as a workbook`}
        code='<ExportButton endpoint={students.export} permission="students.export" body={filters}>…</ExportButton>'
      >
        <ExportButton endpoint={students.export} permission="students.export" body={{}}>
          {t`Export`}
        </ExportButton>
      </Specimen>
      <Specimen
        title={t`A file that a call of your own writes`}
        code={`const file = useExportFile()
<Button busy={file.busy} onClick={() => file.save(async (signal) => (await client.call(…)).file_name)}>…</Button>`}
      >
        <OwnFile />
      </Specimen>
      <Specimen
        title={t`A document; photos are made smaller`}
        code='<DocumentField control={form.control} name="file" label={…} help={…} />'
      >
        <DocumentField control={control} name="file" label={t`Document`} help={t`2 MB at most.`} />
      </Specimen>
      <Specimen
        title={t`A document outside of a form`}
        code='<DocumentDrop label={…} help={…} name="file" file={file} onFile={setFile} />'
      >
        <OwnDocument />
      </Specimen>
      <Specimen
        title={t`A place to drop any file`}
        code='<FieldFrame label={…}>{({ id }) => <FileDrop id={id} file={file} onFile={setFile} accept=".csv" />}</FieldFrame>'
      >
        <OwnDrop />
      </Specimen>
    </Shelf>
  )
}

function OwnFile() {
  const { t } = useLingui()
  const file = useExportFile()
  return (
    <Button icon="download" busy={file.busy} onClick={() => void file.save(async () => 'visits.xlsx')}>
      {t`Save the file`}
    </Button>
  )
}

function OwnDocument() {
  const { t } = useLingui()
  const [file, setFile] = useState<File | null>(null)
  return <DocumentDrop label={t`Document`} help={t`2 MB at most.`} name="file" file={file} onFile={setFile} />
}

function OwnDrop() {
  const { t } = useLingui()
  const [file, setFile] = useState<File | null>(null)
  return (
    <FieldFrame label={t`File`}>
      {({ id }) => <FileDrop id={id} file={file} onFile={setFile} accept=".csv" />}
    </FieldFrame>
  )
}
