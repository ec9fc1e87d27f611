import { useLingui } from '@lingui/react/macro'
import { ListPage, pageLink } from '@portal/screens/ListPage'
import { lazy } from '@portal/screens/lazy'
import { ModuleTabs } from '@portal/screens/ModuleTabs'
import { problemText } from '@portal/screens/problemText'
import { useDialog } from '@portal/screens/useDialog'
import { useCan } from '@portal/sdk'
import { Skeleton } from '@portal/ui/Blank'
import { Card } from '@portal/ui/Card'
import { PageHead, Stack, Two } from '@portal/ui/Page'
import { Failed } from '@portal/ui/Table'
import { useParams } from 'react-router-dom'
import { paths } from '../paths.ts'
import { CasePill } from '../words.tsx'
import { type CaseAct, CaseActions } from './CaseActions.tsx'
import { Consultations } from './Consultations.tsx'
import { Deadline } from './Deadline.tsx'
import { Documents } from './Documents.tsx'
import { Events } from './Events.tsx'
import { Particulars } from './Particulars.tsx'
import { isUndecided, mayAct, useCase } from './useCase.tsx'
import { usePublishedCase } from './usePublishedCase.ts'
import './case.css'

const CaseDialogs = lazy(() => import('./CaseDialogs.tsx'), 'CaseDialogs')

/** One case: what was reported, who was asked, what happened, and what its reviewer may do next. */
export default function CaseDetailsPage() {
  const { t } = useLingui()
  const id = Number(useParams().id)
  const { answer, problem, retry } = useCase(id)
  usePublishedCase(answer?.complain)
  const acting = useDialog<CaseAct>()
  const can = useCan()
  const back = { to: paths.cases, label: t`Cases` }
  if (!answer) {
    return (
      <ListPage title={problem ? t`Case` : <Skeleton width={260} height={28} />} back={back}>
        <Card padded>
          {problem ? (
            <Failed
              title={problemText(problem)}
              reference={problem.request_id ?? undefined}
              onRetry={retry}
            />
          ) : (
            <Skeleton width="60%" height={96} />
          )}
        </Card>
      </ListPage>
    )
  }
  const { complain, referrals } = answer
  const may = mayAct(answer)
  const mayAssign = isUndecided(complain) && can('cases.manage') && (may || can('cases.view'))
  return (
    <>
      <PageHead
        above={
          <>
            {complain.number} <CasePill status={complain.status} />
          </>
        }
        title={complain.title}
        back={{ href: back.to, label: back.label }}
        actions={may && <CaseActions complain={complain} onAct={acting.open} />}
        renderLink={pageLink}
      />
      <ModuleTabs
        on="case"
        item={{ id: complain.id, number: complain.number }}
        label={t`Parts of this page`}
        own={t`Case`}
      >
        <Two>
          <Stack>
            <Card title={t`Description`} padded>
              <p className="reading pre-line">{complain.description}</p>
            </Card>
            <Consultations caseId={complain.id} referrals={referrals} may={may} onAct={acting.open} />
            <Events events={complain.states} />
          </Stack>
          <Stack>
            <Deadline complain={complain} />
            <Particulars complain={complain} onAssign={mayAssign ? () => acting.open('assign') : undefined} />
            <Documents documents={complain.documents} onAct={may ? acting.open : undefined} />
          </Stack>
        </Two>
      </ModuleTabs>
      {acting.item && <CaseDialogs answer={answer} act={acting.item} onClose={acting.close} />}
    </>
  )
}
