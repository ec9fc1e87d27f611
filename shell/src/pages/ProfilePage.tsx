import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { queryOf } from '@portal/client/query'
import { profile } from '@portal/contracts/access/profile'
import { problemText } from '@portal/screens/problemText'
import { useHost, useQuery } from '@portal/sdk'
import { Blank } from '@portal/ui/Blank'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { PageHead } from '@portal/ui/Page'
import { useState } from 'react'
import { PageSkeleton } from '../platform/PageSkeleton.tsx'
import { CodesCard } from './profile/CodesCard.tsx'
import { FactsCard } from './profile/FactsCard.tsx'
import { FirstDayCard } from './profile/FirstDayCard.tsx'
import { NamesCard } from './profile/NamesCard.tsx'
import { NoticesCard } from './profile/NoticesCard.tsx'
import { PasswordCard } from './profile/PasswordCard.tsx'
import { PreferencesCard } from './profile/PreferencesCard.tsx'
import { SessionsCard } from './profile/SessionsCard.tsx'
import { StartCard } from './profile/StartCard.tsx'

/** A person's own record: the two names may be changed, the rest is an administrator's (Access 4.4). */
export default function ProfilePage() {
  const { t } = useLingui()
  const { client, session } = useHost()
  const codesNeeded = session.user.totp_needed ?? false
  // The card keeps its place for this visit, because it may be showing the recovery codes when they are needed no more.
  const [codesFirst] = useState(codesNeeded)
  const { data, error, refetch, isFetching } = useQuery(queryOf(client, profile.read))
  if (!data && !error) return <PageSkeleton />
  return (
    <>
      <PageHead
        title={t`My profile`}
        text={t`Your name as others see it, how the portal speaks to you, and what keeps your account yours.`}
      />
      {data ? (
        <>
          {codesFirst && <CodesCard user={data.user} />}
          <div className="two">
            <NamesCard user={data.user} />
            <FactsCard user={data.user} />
          </div>
          <div className="two even">
            <PreferencesCard user={data.user} />
            <PasswordCard user={data.user} />
          </div>
          {!codesNeeded && (
            <>
              <StartCard />
              <FirstDayCard />
              <NoticesCard />
            </>
          )}
          {!codesFirst && <CodesCard user={data.user} />}
          <SessionsCard />
        </>
      ) : (
        <Card>
          <Blank
            failed
            title={t`Your profile could not be loaded`}
            text={problemText(asProblem(error))}
            actions={
              <Button icon="retry" busy={isFetching} onClick={() => void refetch()}>
                <Trans>Try again</Trans>
              </Button>
            }
          />
        </Card>
      )}
    </>
  )
}
