import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import type { ImportRow } from '@portal/contracts/imports'
import { type Student, students } from '@portal/contracts/registers-students'
import { formatDate } from '@portal/i18n/format'
import { DetailsDialog } from '@portal/screens/DetailsDialog'
import { failureOf } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Blank } from '@portal/ui/Blank'
import { SearchBox } from '@portal/ui/Filters'
import { Failed } from '@portal/ui/Table'
import { useState } from 'react'

type Props = { row: ImportRow; onFound: (code: string) => void; onClose: () => void }

/** As many as can be told apart at a glance; with more, another word of the name narrows them. */
const shown = 8

/** Finds the student of a row whose code nobody has, in the list of students; her code goes into the cell. */
export function FindStudentDialog({ row, onFound, onClose }: Props) {
  const { t } = useLingui()
  const { client } = useHost()
  const [search, setSearch] = useState(row.cells.receiver_last_name ?? row.cells.last_name ?? '')
  const query = { search, per_page: shown }
  const read = useQuery({ ...queryOf(client, students.list, { query }), enabled: search !== '' })
  const failure = failureOf(read.error, read.refetch)
  const found = read.data?.students
  const number = row.row
  const receiver = [row.cells.receiver_first_name, row.cells.receiver_last_name].filter(Boolean).join(' ')
  return (
    <DetailsDialog
      title={t`Which student is row ${number} for?`}
      description={receiver && t`The money is received by ${receiver}.`}
      onClose={onClose}
    >
      <SearchBox value={search} onSearch={setSearch} label={t`Name or code of the student`} />
      {failure && <Failed {...failure} />}
      {found && found.total === 0 && <Blank title={<Trans>No student is called so</Trans>} />}
      <ul className="picks" aria-label={t`Students found`} hidden={!found || found.total === 0}>
        {found?.data.map((student) => (
          <li key={student.id}>
            <button
              type="button"
              onClick={() => {
                onFound(student.student_code)
                onClose()
              }}
            >
              <Found student={student} />
            </button>
          </li>
        ))}
      </ul>
      {found && found.total > shown && (
        <p className="small muted">
          <Trans>There are more. Write another word of the name.</Trans>
        </p>
      )}
    </DetailsDialog>
  )
}

function Found({ student: { user, student_code, school, date_of_birth } }: { student: Student }) {
  return (
    <>
      <b>
        {user.first_name} {user.last_name}
      </b>{' '}
      {student_code}
      <span className="sub">
        {school.name}
        {date_of_birth && <> · {formatDate(date_of_birth)}</>}
      </span>
    </>
  )
}
