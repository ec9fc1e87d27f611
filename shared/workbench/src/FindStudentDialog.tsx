import { Trans, useLingui } from '@lingui/react/macro'
import { queryOf } from '@portal/client/query'
import { type FoundPerson, type ImportRow, imports } from '@portal/contracts/imports'
import { DetailsDialog } from '@portal/screens/DetailsDialog'
import { failureOf } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Blank } from '@portal/ui/Blank'
import { SearchBox } from '@portal/ui/Filters'
import { Failed } from '@portal/ui/Table'
import { useState } from 'react'

type Props = { id: number; row: ImportRow; onFound: (code: string) => void; onClose: () => void }

/** One letter is no name. */
const shortest = 2

/** Finds the student of a row whose code nobody has, by name; her code goes into the cell. */
export function FindStudentDialog({ id, row, onFound, onClose }: Props) {
  const { t } = useLingui()
  const { client } = useHost()
  const [search, setSearch] = useState(row.cells.receiver_last_name ?? row.cells.last_name ?? '')
  const read = useQuery({
    ...queryOf(client, imports.students, { params: { id }, query: { search } }),
    enabled: search.length >= shortest,
  })
  const failure = failureOf(read.error, read.refetch)
  const found = read.data
  const none = found?.students.length === 0
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
      {none && <Blank title={<Trans>No student is called so</Trans>} />}
      <ul className="picks" aria-label={t`Students found`} hidden={!found || none}>
        {found?.students.map((student) => (
          <li key={student.code}>
            <button
              type="button"
              onClick={() => {
                onFound(student.code)
                onClose()
              }}
            >
              <Found student={student} />
            </button>
          </li>
        ))}
      </ul>
      {found?.more && (
        <p className="small muted">
          <Trans>There are more. Write another word of the name.</Trans>
        </p>
      )}
    </DetailsDialog>
  )
}

function Found({ student: { name, code, place } }: { student: FoundPerson }) {
  return (
    <>
      <b>{name}</b> {code}
      <span className="sub">{place}</span>
    </>
  )
}
