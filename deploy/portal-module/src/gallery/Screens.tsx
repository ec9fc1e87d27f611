import { useLingui } from '@lingui/react/macro'
import { cases } from '@portal/contracts/cases'
import { schools } from '@portal/contracts/registers'
import { students } from '@portal/contracts/registers-students'
import { schoolsSheet } from '@portal/contracts/schools.sheet'
import { transfers } from '@portal/contracts/transfers'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { DetailsDialog } from '@portal/screens/DetailsDialog'
import { DocumentField } from '@portal/screens/DocumentField'
import { ExportButton } from '@portal/screens/ExportButton'
import { FormDialog } from '@portal/screens/FormDialog'
import { ImportButton } from '@portal/screens/ImportButton'
import { ImportFigures } from '@portal/screens/ImportFigures'
import { useDialog } from '@portal/screens/useDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useList } from '@portal/screens/useList'
import { Button } from '@portal/ui/Button'
import { TextField } from '@portal/ui/TextField'
import { Shelf, Specimen } from './Specimen.tsx'
import { sampleImport, sampleSchool } from './samples.ts'

type SchoolRow = { id: number; name: string; admin_code: string }

/** The pieces of `@portal/screens`: pieces of `@portal/ui` that are joined with calls, forms and addresses. */
export function Screens() {
  return (
    <>
      <Lists />
      <Dialogs />
      <Files />
      <Hooks />
    </>
  )
}

function Lists() {
  const { t } = useLingui()
  const list = useList(schools.list, 'schools')
  const columns: Column<SchoolRow>[] = [
    { key: 'name', header: t`Name`, sortable: true },
    { key: 'admin_code', header: t`Code` },
  ]
  const code = `const list = useList(schools.list, 'schools')
<ListPage title={…} description={…} back={{ to, label }} actions={…}>
  <DataTable label={…} list={list} columns={columns} empty={…} search={…} filters={[…]} rowActions={…} chosenActs={[…]} remember="schools" />
</ListPage>`
  return (
    <Shelf title={t`Pages of lists`}>
      <Specimen
        title={t`A page with a list of the server: page, search, sort, filters and views are in the address`}
        code={code}
      >
        <DataTable
          label={t`Schools`}
          list={list}
          columns={columns}
          empty={t`No data available`}
          search={t`Name or code`}
          rowName={({ name }) => name}
          rowActions={() => [{ label: t`Edit`, icon: 'pencil', permission: null, onSelect: () => undefined }]}
        />
      </Specimen>
    </Shelf>
  )
}

function Dialogs() {
  const { t } = useLingui()
  const [form, confirm, details] = [useDialog(), useDialog(), useDialog()]
  return (
    <Shelf title={t`Dialogs with calls`}>
      <Specimen
        title={t`A form for a call: fields, errors and a changed row are handled`}
        code="const form = useEndpointForm(transfers.createParameter, { refetches: […], onDone: onClose })
<FormDialog title={…} form={form} onClose={onClose}>…</FormDialog>"
      >
        <Button data-opens="form" onClick={() => form.open(true)}>{t`Open a form`}</Button>
      </Specimen>
      <Specimen
        title={t`A question before an act, answered with the act itself`}
        code="<ConfirmDialog title={…} form={form} danger confirmLabel={…} onClose={onClose}>…</ConfirmDialog>"
      >
        <Button onClick={() => confirm.open(true)}>{t`Ask before an act`}</Button>
      </Specimen>
      <Specimen
        title={t`Facts about one thing`}
        code="<DetailsDialog title={…} facts={[{ key, label, value }]} onClose={onClose} />"
      >
        <Button onClick={() => details.open(true)}>{t`Show details`}</Button>
      </Specimen>
      {form.item && <ParameterDialog onClose={form.close} />}
      {confirm.item && <AskDialog onClose={confirm.close} />}
      {details.item && (
        <DetailsDialog
          title={sampleSchool.name}
          facts={[{ key: 'code', label: t`Code`, value: sampleSchool.code }]}
          onClose={details.close}
        />
      )}
    </Shelf>
  )
}

function ParameterDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(transfers.createParameter, { refetches: [], onDone: onClose })
  return (
    <FormDialog title={t`Open a form`} form={form} onClose={onClose}>
      <TextField control={form.control} name="name" label={t`Name`} required />
    </FormDialog>
  )
}

function AskDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const form = useEndpointForm(transfers.createParameter, { refetches: [], onDone: onClose })
  const reject = t`Reject 40 payments`
  return (
    <ConfirmDialog title={reject} form={form} danger confirmLabel={reject} onClose={onClose}>
      <p>{t`Somebody else approves this list.`}</p>
    </ConfirmDialog>
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
        title={t`What a list shows, as a workbook`}
        code='<ExportButton endpoint={students.export} permission="students.export" body={filters}>…</ExportButton>'
      >
        <ExportButton endpoint={students.export} permission="students.export" body={{}}>
          {t`Export`}
        </ExportButton>
      </Specimen>
      <Specimen
        title={t`A document; photos are made smaller`}
        code='<DocumentField control={form.control} name="file" label={…} help={…} />'
      >
        <DocumentField control={control} name="file" label={t`Document`} help={t`2 MB at most.`} />
      </Specimen>
      <Specimen
        title={t`How far an import is, and what it found`}
        code="<ImportProgress id={id} onEnd={…} /> <ImportFigures found={found} /> <RejectedRows found={found} />"
      >
        <ImportFigures found={sampleImport} />
      </Specimen>
    </Shelf>
  )
}

/** What is not drawn by itself. */
function Hooks() {
  const { t } = useLingui()
  const hooks: [what: string, code: string][] = [
    [t`A dialog that is open with something`, 'const editing = useDialog<School>()'],
    [
      t`A call again and again, until its answer is final`,
      'usePoll(imports.read, { params, every: 1_000, until: isFinal })',
    ],
    [t`Rows that were chosen`, 'const chosen = useChosen(list)'],
    [
      t`What is fetched when it is opened`,
      "const EditDialog = lazy(() => import('./EditDialog.tsx'), 'EditDialog')",
    ],
    [t`A refusal as a sentence`, 'problemText(problem) · failureOf(problem, refetch)'],
    [t`A form that shows what others changed meanwhile`, '<Conflict form={form} read={…} fields={…} />'],
    [
      t`Columns and compactness of a list, kept on the device`,
      'useTableView(…) · <ColumnsDialog … /> · <ViewsButton list={list} />',
    ],
    [
      t`Acts and parts of modules for a thing`,
      '<ModuleTabs on="school" item={school} … /> · <ModuleParts on="student" item={student} … /> · useModuleActs(…)',
    ],
  ]
  return (
    <Shelf title={t`Hooks, and what is drawn by others`}>
      {hooks.map(([what, code]) => (
        <Specimen key={code} title={what} code={code}>
          {null}
        </Specimen>
      ))}
    </Shelf>
  )
}
