import { useLingui } from '@lingui/react/macro'
import { Problem } from '@portal/client/problem'
import { imports } from '@portal/contracts/imports'
import { schoolFields } from '@portal/contracts/registers/schools.fields'
import { savedViews } from '@portal/contracts/saved-views'
import { transfers } from '@portal/contracts/transfers'
import { ConfirmDialog } from '@portal/screens/ConfirmDialog'
import { Conflict, withoutConflict } from '@portal/screens/Conflict'
import { DetailsDialog } from '@portal/screens/DetailsDialog'
import { BusyHint, FormDialog, FormFailure } from '@portal/screens/FormDialog'
import { fieldWords } from '@portal/screens/fieldWords'
import { isFinal } from '@portal/screens/isFinal'
import { lazy } from '@portal/screens/lazy'
import { failureOf, problemText } from '@portal/screens/problemText'
import { refetchTwice } from '@portal/screens/refetchTwice'
import { useDialog } from '@portal/screens/useDialog'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { usePoll } from '@portal/screens/usePoll'
import { useHost } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { Sheet } from '@portal/ui/Figures'
import { Count } from '@portal/ui/Money'
import { Failed } from '@portal/ui/Table'
import { TextField } from '@portal/ui/TextField'
import { useEffect } from 'react'
import type { Answers } from '../harness/fake-portal.ts'
import { Imports } from './Imports.tsx'
import { Lists } from './Lists.tsx'
import { Modules } from './Modules.tsx'
import { Shelf, Specimen } from './Specimen.tsx'
import { importGoingOn, sampleSchool } from './samples.ts'

const LateDialog = lazy(() => import('./LateDialog.tsx'), 'LateDialog')

/** The pieces of `@portal/screens`: pieces of `@portal/ui` that are joined with calls, forms and addresses. */
export function Screens() {
  return (
    <>
      <Lists />
      <Dialogs />
      <Refusals />
      <Imports />
      <Modules />
    </>
  )
}

function Dialogs() {
  const { t } = useLingui()
  const [form, confirm, details, late] = [useDialog(), useDialog(), useDialog(), useDialog()]
  return (
    <Shelf title={t`Dialogs with calls`}>
      <Specimen
        title={t`A form for a call: fields, errors and a changed row are handled`}
        code="const form = useEndpointForm(transfers.createParameter, { refetches: […], onDone: onClose })
<FormDialog title={…} form={form} onClose={onClose}>…</FormDialog>"
      >
        <Button data-opens="form" onClick={() => form.open(true)}>{t`Open a form`}</Button>
        {form.item && <ParameterDialog onClose={form.close} />}
      </Specimen>
      <Specimen
        title={t`A question before an act, answered with the act itself`}
        code="<ConfirmDialog title={…} form={form} danger confirmLabel={…} onClose={onClose}>…</ConfirmDialog>"
      >
        <Button onClick={() => confirm.open(true)}>{t`Ask before an act`}</Button>
        {confirm.item && <AskDialog onClose={confirm.close} />}
      </Specimen>
      <Specimen
        title={t`Facts about one thing`}
        code="<DetailsDialog title={…} facts={[{ key, label, value }]} onClose={onClose} />"
      >
        <Button onClick={() => details.open(true)}>{t`Show details`}</Button>
        {details.item && (
          <DetailsDialog
            title={sampleSchool.name}
            facts={[{ key: 'code', label: t`Code`, value: sampleSchool.code }]}
            onClose={details.close}
          />
        )}
      </Specimen>
      <Specimen
        title={t`A dialog whose file is fetched when it is opened`}
        code={`const LateDialog = lazy(() => import('./LateDialog.tsx'), 'LateDialog')
const late = useDialog()`}
      >
        <Button onClick={() => late.open(true)}>{t`Fetch and open`}</Button>
        {late.item && <LateDialog onClose={late.close} />}
      </Specimen>
      <Specimen
        title={t`Names, choices and texts of fields, from the contract`}
        code="const words = fieldWords(schoolFields)
<TextField control={form.control} {...words.line('name')} />"
      >
        <Words />
      </Specimen>
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

function Words() {
  const words = fieldWords(schoolFields)
  const school = { name: 'COURA', admin_code: 'KIT-001', academic_year: '2025-2026' }
  const shown = ['name', 'admin_code', 'academic_year'] as const
  return (
    <Sheet
      facts={shown.map((name) => ({
        key: name,
        label: words.label(name),
        value: words.text(name, school[name]),
      }))}
    />
  )
}

/** The first save finds another version; saving over it succeeds. */
function changedMeanwhile(): Answers {
  let saves = 0
  const view = { id: 1, list: '/schools', name: 'CAP KITA', query: 'search=kita', version: 3 }
  return {
    'PUT /views/1': () => {
      saves += 1
      return saves === 1 ? { status: 409, body: {} } : { body: { message: 'OK', view } }
    },
  }
}

function Refusals() {
  const { t } = useLingui()
  return (
    <Shelf title={t`What was refused, and what goes on`}>
      <Specimen
        title={t`A form that shows what others changed meanwhile`}
        code="<FormDialog form={withoutConflict(form)} …>
  <Conflict form={form} read={read} fields={words.watched()} />"
        answers={changedMeanwhile()}
      >
        <ChangedMeanwhile />
      </Specimen>
      <Specimen title={t`A refusal as a sentence`} code="problemText(problem)">
        <Sentences />
      </Specimen>
      <Specimen
        title={t`A failure in the place of what was asked for`}
        code="<Table … failure={failureOf(problem, refetch)} /> or <Failed {...failure} />"
      >
        <Failure />
      </Specimen>
      <Specimen
        title={t`A form outside of a dialog: its refusal, and that it is under way`}
        code="<FormFailure form={form} /> <BusyHint form={form} />"
        answers={{
          'POST /admin/transfers/parameter': () => ({ status: 403, body: { message: 'transfers' } }),
        }}
      >
        <OwnForm />
      </Specimen>
      <Specimen
        title={t`A call again and again, until its answer is final`}
        code="usePoll(imports.read, { every: 1_000, until: ({ import: { state } }) => isFinal(state) }, { params })"
        answers={importGoingOn()}
      >
        <Polled />
      </Specimen>
      <Specimen
        title={t`What is asked for again now and after three seconds, when jobs may be done`}
        code="refetchTwice(queryClient, [imports.read])"
        answers={importGoingOn()}
      >
        <AskedTwice />
      </Specimen>
    </Shelf>
  )
}

function ChangedMeanwhile() {
  const { t } = useLingui()
  const form = useEndpointForm(savedViews.update, {
    params: { id: 1 },
    defaults: { name: 'KITA', query: 'search=kita', version: 1 },
    refetches: [],
  })
  const { setValue } = form.fields
  // As if somebody had typed and saved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the piece is drawn
  useEffect(() => {
    setValue('name', 'Kita 2026', { shouldDirty: true })
    form.submit()
  }, [])
  return (
    <form className="grow stack" onSubmit={(event) => event.preventDefault()}>
      <FormFailure form={withoutConflict(form)} />
      <Conflict
        form={form}
        read={async () => ({ name: 'CAP KITA', query: 'search=kita', version: 2 })}
        fields={{ name: { label: t`Name` }, query: null }}
      />
      <TextField control={form.control} name="name" label={t`Name`} />
    </form>
  )
}

function Sentences() {
  const { t } = useLingui()
  const problems = [
    { key: 'none', label: t`No answer`, problem: new Problem(0) },
    { key: 'rights', label: t`Not permitted`, problem: new Problem(403, { message: 'schools.update' }) },
    { key: 'fields', label: t`Wrong fields`, problem: new Problem(422) },
    { key: 'server', label: t`A failure of the server`, problem: new Problem(500) },
  ]
  return (
    <Sheet facts={problems.map(({ key, label, problem }) => ({ key, label, value: problemText(problem) }))} />
  )
}

function Failure() {
  const failure = failureOf(new Problem(500, { request_id: '7f3a-21c9' }), () => undefined)
  return failure && <Failed {...failure} />
}

function OwnForm() {
  const { t } = useLingui()
  const form = useEndpointForm(transfers.createParameter, { refetches: [] })
  return (
    <form className="grow stack" onSubmit={(event) => event.preventDefault()}>
      <FormFailure form={form} />
      <TextField control={form.control} name="name" label={t`Name`} required />
      <div className="row">
        <BusyHint form={form} />
        <Button busy={form.busy} onClick={form.submit}>{t`Save`}</Button>
      </div>
    </form>
  )
}

function Polled() {
  const { t } = useLingui()
  const { data } = usePoll(
    imports.read,
    { every: 1_000, until: (answer) => isFinal(answer.import.state) },
    { params: { id: 1 } },
  )
  return (
    <Sheet
      facts={[{ key: 'in', label: t`Imported so far`, value: <Count value={data?.import.rows_imported} /> }]}
    />
  )
}

function AskedTwice() {
  const { t } = useLingui()
  const { queryClient } = useHost()
  return (
    <>
      <Polled />
      <Button onClick={() => refetchTwice(queryClient, [imports.read])}>{t`Ask twice`}</Button>
    </>
  )
}
