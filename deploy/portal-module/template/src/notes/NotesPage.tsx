import { Trans, useLingui } from '@lingui/react/macro'
import type { AnswerOf } from '@portal/contracts/endpoint'
import { type Column, DataTable } from '@portal/screens/DataTable'
import { ListPage } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { useCan } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { DateText } from '@portal/ui/Money'
import { notes } from '../notes.ts'

// The dialog is lazy: it is loaded when somebody opens it.
const AddNoteDialog = lazy(() => import('./AddNoteDialog.tsx'), 'AddNoteDialog')

type NoteRecord = AnswerOf<typeof notes.list>['records']['data'][number]

/** The list of notes, newest first. Page, search and sort are in the URL. */
export default function NotesPage() {
  const { t } = useLingui()
  const can = useCan()
  const list = useList(notes.list, 'records')
  const adding = useDialog()
  const columns: Column<NoteRecord>[] = [
    { key: 'title', header: t`Title`, cell: ({ data }) => <strong>{data.title}</strong> },
    { key: 'text', header: t`Text`, wrap: true, cell: ({ data }) => data.text },
    {
      key: 'created_at',
      header: t`Written`,
      sortable: true,
      cell: (note) => <DateText iso={note.created_at} time />,
    },
  ]
  const add = can('starter.write') && (
    <Button variant="primary" icon="plus" onClick={() => adding.open(true)}>
      <Trans>Add note</Trans>
    </Button>
  )
  return (
    <ListPage title={t`Notes`} description={t`What is worth writing down.`} actions={add}>
      <DataTable
        label={t`Notes`}
        list={list}
        columns={columns}
        empty={{ title: t`No note yet`, action: add || undefined }}
        search={t`Title or text`}
      />
      {adding.item && <AddNoteDialog onClose={adding.close} />}
    </ListPage>
  )
}
