import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { statementSheet } from '@portal/contracts/transfers/statement.sheet'
import { statementColumns, statements } from '@portal/contracts/transfers/statements'
import { currentLocale } from '@portal/i18n/locale'
import { firstProblemText } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { FieldFrame } from '@portal/ui/FieldFrame'
import { Icon } from '@portal/ui/Icon'
import { Notice } from '@portal/ui/Notice'
import { useState } from 'react'

type Props = { agency: number; file: File; onHeadings: (headings: string) => void }

/** Which column of the statement each heading is: proposed by the server, changed by the person. */
export function StatementColumns({ agency, file, onHeadings }: Props) {
  const { t } = useLingui()
  const { client } = useHost()
  const [chosen, setChosen] = useState<Record<string, string>>({})
  const headings = JSON.stringify(chosen)
  const seen = useQuery({
    queryKey: ['statement preview', agency, file.name, file.size, file.lastModified, headings],
    queryFn: () =>
      client.call(statements.preview, {
        body: { statement_file: file, transfer_agency_id: agency, headings },
      }),
    retry: false,
    placeholderData: (before) => before,
  })
  if (seen.error) {
    const problem = asProblem(seen.error)
    return (
      <Notice
        tone="bad"
        alert
        actions={
          <Button small icon="retry" busy={seen.isFetching} onClick={() => void seen.refetch()}>
            <Trans>Try again</Trans>
          </Button>
        }
      >
        {firstProblemText(problem)}
      </Notice>
    )
  }
  if (!seen.data) return <p aria-busy="true">{t`Reading the headings…`}</p>
  if (seen.data.format === 'camt')
    return (
      <Notice tone="info">
        <Trans>A bank’s statement says itself what each field is. There are no columns to choose.</Trans>
      </Notice>
    )
  const choose = (heading: string, column: string) => {
    const next = { ...chosen, [heading]: column }
    setChosen(next)
    onHeadings(JSON.stringify(next))
  }
  return (
    <fieldset className="stack">
      <legend>
        <Trans>Columns of the file</Trans>
      </legend>
      <p className="muted">
        <Trans>They are remembered for the next statement of this agency.</Trans>
      </p>
      {seen.data.problem && <Notice tone="waiting">{seen.data.problem}</Notice>}
      <div className="fields pair">
        {seen.data.headings.map(({ heading, column }, index) =>
          heading === '' ? null : (
            <FieldFrame
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns of a file can have one heading.
              key={index}
              label={heading}
              help={seen.data.rows[0]?.[index]}
              required={false}
              error={undefined}
            >
              {(worn) => (
                <span className="select">
                  <select
                    className="input"
                    {...worn}
                    value={chosen[heading] ?? column ?? ''}
                    onChange={(event) => choose(heading, event.target.value)}
                  >
                    <option value="">{t`Not used`}</option>
                    {statementColumns.map((name) => (
                      <option key={name} value={name}>
                        {statementSheet.columns[name].label[currentLocale()]}
                      </option>
                    ))}
                  </select>
                  <Icon name="down" size={16} />
                </span>
              )}
            </FieldFrame>
          ),
        )}
      </div>
    </fieldset>
  )
}
