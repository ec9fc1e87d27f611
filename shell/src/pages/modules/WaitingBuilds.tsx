import { Trans, useLingui } from '@lingui/react/macro'
import { modules, type WaitingBuild } from '@portal/contracts/modules'
import { lazy } from '@portal/screens/lazy'
import { failureOf } from '@portal/screens/problemText'
import { useDialog } from '@portal/screens/useDialog'
import { usePoll } from '@portal/screens/usePoll'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { DateText } from '@portal/ui/Money'
import { Flags } from '@portal/ui/Notice'
import { Failed } from '@portal/ui/Table'
import { titleOf } from './words.ts'

const AdmitBuildDialog = lazy(() => import('./AdmitBuildDialog.tsx'), 'AdmitBuildDialog')

/** The builds of partners that wait for an administrator. Nothing is drawn when none waits. */
export function WaitingBuilds() {
  const { t } = useLingui()
  const { data, error, refetch } = usePoll(modules.waiting, { every: 15_000 })
  const admitting = useDialog<WaitingBuild>()
  const failure = data ? null : failureOf(error, refetch)
  if (!failure && !data?.builds.length) return null
  return (
    <Card
      title={t`Waiting for admission`}
      text={t`Versions of partners that cannot go live before an administrator has looked at them.`}
      padded={false}
    >
      {failure && <Failed {...failure} />}
      {data && (
        <Flags
          flags={data.builds.map((build) => ({
            key: `${build.name}/${build.build}`,
            tone: 'waiting',
            title: (
              <>
                {titleOf(build)} {build.version}
              </>
            ),
            text: (
              <Trans>
                Published by {build.person} ({build.owner.name}) on <DateText iso={build.published_at} time />
              </Trans>
            ),
            action: (
              <span className="waiting-look">
                <Button
                  small
                  onClick={() => admitting.open(build)}
                  aria-label={t`Look at ${titleOf(build)} ${build.version}`}
                >
                  <Trans>Look at it</Trans>
                </Button>
              </span>
            ),
          }))}
        />
      )}
      {admitting.item && <AdmitBuildDialog waiting={admitting.item} onClose={admitting.close} />}
    </Card>
  )
}
