import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { queryOf } from '@portal/client/query'
import { type OpenedStatement, statements } from '@portal/contracts/transfers/statements'
import { statementSteps } from '@portal/contracts/transfers/steps/statement'
import { ExportButton } from '@portal/screens/ExportButton'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useInterval } from '@portal/screens/usePoll'
import { useCan, useHost, useQuery } from '@portal/sdk'
import { Button } from '@portal/ui/Button'
import { DateText } from '@portal/ui/Money'
import { Notice } from '@portal/ui/Notice'
import { useNavigate, useParams } from 'react-router-dom'
import { PageState } from '../PageState.tsx'
import { paths } from '../paths.ts'
import { TransferPage } from '../TransferPage.tsx'
import { Findings } from './Findings.tsx'
import { StatementPill } from './StatementPill.tsx'
import { StatementTotals } from './StatementTotals.tsx'
import { touched } from './touched.ts'
import './words.ts'

const NextStep = lazy(() => import('../dialogs/NextStep.tsx'), 'NextStep')
const SignDialog = lazy(() => import('./SignDialog.tsx'), 'SignDialog')
const WithdrawStatementDialog = lazy(
  () => import('../dialogs/WithdrawStatementDialog.tsx'),
  'WithdrawStatementDialog',
)

const isRunning = ({ state }: OpenedStatement) => state === 'queued' || state === 'reading'

/** A statement: its sums by category, its lines and payments, and what people do about the differences. */
export default function StatementPage() {
  const { t } = useLingui()
  const id = Number(useParams().id)
  const { client } = useHost()
  const interval = useInterval<{ statement: OpenedStatement }>(1000, ({ statement }) => !isRunning(statement))
  const read = useQuery({
    ...queryOf(client, statements.read, { params: { id }, poll: true }),
    refetchInterval: interval,
  })
  const back = { to: paths.statements, label: t`Statements of agencies` }
  const statement = read.data?.statement
  if (!statement)
    return (
      <PageState
        title={t`Statement`}
        back={back}
        list={{ problem: read.error ? asProblem(read.error) : null, retry: () => void read.refetch() }}
      />
    )
  return <Shown statement={statement} back={back} />
}

function Shown({ statement, back }: { statement: OpenedStatement; back: { to: string; label: string } }) {
  const { t } = useLingui()
  const can = useCan()
  const navigate = useNavigate()
  const acting = useDialog<'sign' | 'withdraw'>()
  const { state, open, lines_read } = statement
  const period = (
    <>
      <DateText iso={statement.from} /> – <DateText iso={statement.to} />
    </>
  )
  return (
    <TransferPage
      title={statement.transfer_agency.name}
      description={
        <>
          <StatementPill state={state} /> {period} · {statement.file_name}
        </>
      }
      back={back}
      actions={
        <>
          {(state === 'open' || state === 'closed') && (
            <>
              <ExportButton
                endpoint={statements.export}
                body={{ statement_id: statement.id }}
                permission="payrolls.export"
              >
                <Trans>Export report (Excel)</Trans>
              </ExportButton>
              <Button onClick={() => void navigate(paths.statementReport(statement.id))}>
                <Trans>Report to print</Trans>
              </Button>
            </>
          )}
          {state !== 'closed' && state !== 'withdrawn' && state !== 'failed' && can('statements.import') && (
            <Button onClick={() => acting.open('withdraw')}>
              <Trans>Withdraw</Trans>
            </Button>
          )}
          {state === 'open' && can('statements.sign') && (
            <Button variant="primary" onClick={() => acting.open('sign')}>
              <Trans>Sign statement</Trans>
            </Button>
          )}
        </>
      }
    >
      {isRunning(statement) && (
        <Notice title={t`The statement is being read.`}>
          <Plural
            value={lines_read}
            one="# line read. You can leave this page."
            other="# lines read. You can leave this page."
          />
        </Notice>
      )}
      {statement.problem && (
        <Notice tone="bad" title={t`The statement could not be read.`}>
          {statement.problem} <NextStep of={statementSteps} state="failed" onlyNext />
        </Notice>
      )}
      {state === 'open' && (
        <Notice tone="waiting">
          {open > 0 && (
            <Plural
              value={open}
              one="# difference is not resolved."
              other="# differences are not resolved."
            />
          )}{' '}
          <NextStep of={statementSteps} state="open" />
        </Notice>
      )}
      {state === 'withdrawn' && (
        <Notice>
          <NextStep of={statementSteps} state="withdrawn" />
        </Notice>
      )}
      {statement.ended_by && statement.ended_at && state === 'closed' && (
        <Notice tone="good">
          {t`Signed by ${`${statement.ended_by.first_name} ${statement.ended_by.last_name}`}`}{' '}
          <DateText iso={statement.ended_at} time />
        </Notice>
      )}
      {(state === 'open' || state === 'closed') && (
        <>
          <StatementTotals statement={statement} />
          <Findings statement={statement} />
        </>
      )}
      {acting.item === 'sign' && <SignDialog statement={statement} onClose={acting.close} />}
      {acting.item === 'withdraw' && (
        <WithdrawStatementDialog id={statement.id} refetches={touched} onClose={acting.close} />
      )}
    </TransferPage>
  )
}
