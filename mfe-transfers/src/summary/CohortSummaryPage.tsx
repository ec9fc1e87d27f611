import { useLingui } from '@lingui/react/macro'
import { transfers } from '@portal/contracts/transfers'
import type { ListFlag } from '@portal/contracts/transfers/cohorts'
import { today } from '@portal/i18n/format'
import { isFinal } from '@portal/screens/isFinal'
import { lazy } from '@portal/screens/lazy'
import { useDialog } from '@portal/screens/useDialog'
import { useList } from '@portal/screens/useList'
import { Two } from '@portal/ui/Page'
import { useParams } from 'react-router-dom'
import { OneEyeNotice } from '../OneEyeNotice.tsx'
import { PageState } from '../PageState.tsx'
import { paths } from '../paths.ts'
import { TransferPage } from '../TransferPage.tsx'
import { CohortPill } from '../words.tsx'
import { CohortFacts } from './CohortFacts.tsx'
import { DecisionDialogs } from './DecisionDialogs.tsx'
import { MasterList } from './MasterList.tsx'
import { planOf } from './plan.ts'
import { type Decision, SummaryActions } from './SummaryActions.tsx'
import { SummaryFigures } from './SummaryFigures.tsx'
import { useCohortProgress } from './useCohortProgress.tsx'
import { withProgress } from './with-progress.ts'
import './words.ts'

const CohortNotices = lazy(() => import('./decisions/CohortNotices.tsx'), 'CohortNotices')
const ConfirmedCard = lazy(() => import('../dialogs/ConfirmedCard.tsx'), 'ConfirmedCard')
const ImportProgress = lazy(() => import('@portal/screens/ImportProgress'), 'ImportProgress')
const FlaggedRowsDialog = lazy(() => import('./decisions/FlaggedRowsDialog.tsx'), 'FlaggedRowsDialog')
const RejectedRowsDialog = lazy(() => import('./decisions/RejectedRowsDialog.tsx'), 'RejectedRowsDialog')
const ProposedMoveCard = lazy(() => import('./moving/ProposedMoveCard.tsx'), 'ProposedMoveCard')
const ReviewNotice = lazy(() => import('./decisions/ReviewNotice.tsx'), 'ReviewNotice')
const RoundsCard = lazy(() => import('../dialogs/RoundsCard.tsx'), 'RoundsCard')
const RunningImport = lazy(() => import('./decisions/RunningImport.tsx'), 'RunningImport')
const SendingCard = lazy(() => import('./SendingCard.tsx'), 'SendingCard')
const ToCheckCard = lazy(() => import('./decisions/ToCheckCard.tsx'), 'ToCheckCard')

/** One cohort: its money, its approval, the round on its way, its list. */
export default function CohortSummaryPage() {
  const { t } = useLingui()
  const id = Number(useParams().id)
  const { progress, problem, pace, sending } = useCohortProgress(id)
  const list = useList(transfers.summary, (answer) => answer.cohort.transfer_master_list, {
    params: { id },
    // Amounts and rows are polled less often than the counters, because they cost more.
    ...(sending && { every: 2000 }),
  })
  const deciding = useDialog<Decision>()
  const rejectedRows = useDialog()
  const flagged = useDialog<ListFlag>()
  const cohort = list.answer && withProgress(list.answer.cohort, progress)
  const back = { to: paths.reconciliations, label: t`Reconciliations` }
  if (!cohort) return <PageState title={t`Cohort`} back={back} list={list} />

  const { import: file, status } = cohort
  const showRejectedRows = () => rejectedRows.open(true)
  const narrow = (filter: { status?: string; shared?: string }) => {
    list.show({ search: '', names: '', ...filter })
    document.querySelector('#master-list')?.scrollIntoView({ block: 'start' })
  }
  const { rows_changed, headings } = cohort.check.review
  const reviewed = rows_changed > 0 || Object.keys(headings).length > 0
  const imported = isFinal(progress?.import.state ?? file.state)
  const rounds = (
    <RoundsCard
      cohort={cohort}
      rounds={planOf(cohort, today())}
      title={status === 'pending' ? t`Disbursement rounds if approved today` : t`Disbursement rounds`}
      barred={cohort.check.barred}
    />
  )
  const toCheck = (
    <ToCheckCard cohort={cohort} onRejectedRows={showRejectedRows} onFlag={flagged.open} onFilter={narrow} />
  )
  return (
    <TransferPage
      title={cohort.name}
      description={cohort.description}
      status={<CohortPill status={status} stopped={cohort.stopped} closed={cohort.closed} />}
      back={back}
      actions={<SummaryActions cohort={cohort} view={list.view} onDecide={deciding.open} />}
    >
      <OneEyeNotice />
      <CohortNotices cohort={cohort} progress={progress} />
      {cohort.moving && <ProposedMoveCard cohort={cohort} />}
      {reviewed && <ReviewNotice cohort={cohort} />}
      {/* A cohort whose import failed is gone; why, stands with the import. */}
      {problem?.kind === 'missing' && <ImportProgress id={file.id} />}
      {!imported && !problem && (
        <RunningImport found={progress?.import ?? file} onRejectedRows={showRejectedRows} />
      )}
      {imported && <SummaryFigures cohort={cohort} />}
      {progress?.round && (
        <Two>
          <SendingCard
            cohort={cohort}
            progress={progress}
            pace={pace}
            onSee={(wanted) => narrow({ status: wanted, shared: '' })}
          />
          {toCheck}
        </Two>
      )}
      {imported && status === 'pending' && (
        <Two>
          {rounds}
          {toCheck}
        </Two>
      )}
      {cohort.payments_disbursed > 0 && (
        <ConfirmedCard confirmed={cohort} disbursed={cohort.transfer_cohort_stats.total_amount_disbursed} />
      )}
      <CohortFacts cohort={cohort} />
      {(cohort.rounds.length > 1 || cohort.rounds.some(({ state }) => state === 'missed')) && rounds}
      <div id="master-list" style={{ scrollMarginTop: 72 }}>
        <MasterList list={list} cohort={cohort} />
      </div>
      <DecisionDialogs
        cohort={cohort}
        deciding={deciding}
        onRejectedRows={showRejectedRows}
        onShared={() => narrow({ shared: 'yes', status: '' })}
        onFlag={flagged.open}
      />
      {flagged.item && <FlaggedRowsDialog flag={flagged.item} name={cohort.name} onClose={flagged.close} />}
      {rejectedRows.item && (
        <RejectedRowsDialog importId={file.id} name={cohort.name} onClose={rejectedRows.close} />
      )}
    </TransferPage>
  )
}
