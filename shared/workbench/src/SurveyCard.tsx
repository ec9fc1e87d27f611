import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Sheet } from '@portal/contracts/imports/sheet'
import { say } from '@portal/contracts/sentences'
import { currentLocale } from '@portal/i18n/locale'
import { Card } from '@portal/ui/Card'
import { Icon } from '@portal/ui/Icon'
import { Nothing } from '@portal/ui/Money'
import { StatusPill } from '@portal/ui/StatusPill'
import { type Column, Table } from '@portal/ui/Table'
import { acceptedBy, columnOf, filledColumns, labelOf } from './columns.ts'
import type { Fault, Survey, SurveyedRow } from './reading/survey.ts'

type Props = { survey: Survey; sheet: Sheet }

/** What is wrong with the file, then its first rows as they stand in it. */
export function SurveyCard({ survey, sheet }: Props) {
  const { t } = useLingui()
  const { faults, first, firstFaulty, faulty } = survey
  return (
    <>
      {faulty > 0 && (
        <Card
          title={<Plural value={faulty} one="# row has a fault" other="# rows have a fault" />}
          text={t`Correct them in the file, or upload it and correct them in the portal.`}
        >
          {faults.map((fault) => (
            <FaultGroup key={`${fault.column} ${fault.problem}`} fault={fault} sheet={sheet} />
          ))}
        </Card>
      )}
      {faulty > 0 && firstFaulty.length > 0 && (
        <Card title={t`The first rows with a fault`}>
          <Rows label={t`The first rows with a fault`} rows={firstFaulty} sheet={sheet} />
        </Card>
      )}
      <Card title={t`The first rows of the file`}>
        <Rows label={t`The first rows of the file`} rows={first} sheet={sheet} />
      </Card>
    </>
  )
}

function FaultGroup({ fault, sheet }: { fault: Fault; sheet: Sheet }) {
  const column = columnOf(sheet, fault.column)
  const values = [...new Set(fault.samples.map(({ value }) => value).filter(Boolean))]
  return (
    <div className="group">
      <div className="group-head flat">
        <div>
          <span className="strong">{labelOf(sheet, fault.column)}</span>
          <div className="samples">
            {say(fault.problem, currentLocale())}{' '}
            {values.length > 0 && (
              <Trans>
                Found <Values values={values} />
              </Trans>
            )}
            {column && <div>{acceptedBy(column)}</div>}
          </div>
        </div>
        <StatusPill tone="bad" icon="bad">
          <Plural value={fault.count} one="# row" other="# rows" />
        </StatusPill>
      </div>
    </div>
  )
}

/** Values as they stand in the file. */
export const Values = ({ values }: { values: readonly string[] }) => (
  <span>
    {values.map((value) => (
      <span key={value}>
        <code>{value}</code>{' '}
      </span>
    ))}
  </span>
)

function Rows({ label, rows, sheet }: { label: string; rows: SurveyedRow[]; sheet: Sheet }) {
  const { t } = useLingui()
  const wrong = Object.keys(sheet.columns).filter((key) => rows.some(({ problems }) => problems[key]))
  const keys = [...new Set([...filledColumns(sheet, rows, 9), ...wrong])]
  const columns: Column<SurveyedRow>[] = [
    { key: 'row', header: t`Row`, align: 'right', width: '64px', cell: ({ row }) => row },
    ...keys.map((key) => ({
      key,
      header: labelOf(sheet, key),
      gap: key === keys[0],
      phone: key === keys[0] ? ('title' as const) : undefined,
      wrap: wrong.includes(key),
      cell: ({ cells, problems }: SurveyedRow) => <CellText text={cells[key]} problem={problems[key]} />,
    })),
  ]
  return <Table label={label} columns={columns} rows={rows} rowKey={({ row }) => row} empty={label} many />
}

function CellText({ text, problem }: { text: string | undefined; problem: string | undefined }) {
  if (!problem) return text ? <span className="cell-text">{text}</span> : <Nothing />
  return (
    <span>
      {text && <span className="was">{text}</span>}
      <span className="error-text">
        <Icon name="bad" size={14} />
        {say(problem, currentLocale())}
      </span>
    </span>
  )
}
