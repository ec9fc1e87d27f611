import { Trans, useLingui } from '@lingui/react/macro'
import { modules, type WaitingBuild } from '@portal/contracts/modules'
import { lazy } from '@portal/screens/lazy'
import { failureOf } from '@portal/screens/problemText'
import { usePoll } from '@portal/screens/usePoll'
import { Button } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { DateText } from '@portal/ui/Money'
import { Flags, Notice } from '@portal/ui/Notice'
import { Failed } from '@portal/ui/Table'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { titleOf } from './words.ts'

const AdmitBuildDialog = lazy(() => import('./AdmitBuildDialog.tsx'), 'AdmitBuildDialog')

/**
 * The build that the address names, as notices do. A build that was shown stays until it is closed, so that a refusal
 * can be read. `gone` when the named build does not wait.
 */
function useNamedBuild(builds: WaitingBuild[] | undefined) {
  const [url, setUrl] = useSearchParams()
  const [shown, setShown] = useState<WaitingBuild | null>(null)
  const name = url.get('build')
  const found = builds?.find(({ build }) => build === name)
  if (found && found.build !== shown?.build) setShown(found)
  const item = shown?.build === name ? shown : null
  const open = (build: WaitingBuild) => setUrl({ build: build.build }, { replace: true })
  const close = () => setUrl({}, { replace: true })
  return { item, open, close, gone: Boolean(name && builds && !found && !item) }
}

/** The builds of partners that wait for an administrator. Nothing is drawn when none waits and none is asked for. */
export function WaitingBuilds() {
  const { t } = useLingui()
  const { data, error, refetch } = usePoll(modules.waiting, { every: 15_000 })
  const admitting = useNamedBuild(data?.builds)
  const failure = data ? null : failureOf(error, refetch)
  if (!failure && !data?.builds.length && !admitting.item) return admitting.gone ? <Gone /> : null
  return (
    <>
      {admitting.gone && <Gone />}
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
                  Published by {build.person} ({build.owner.name}) on{' '}
                  <DateText iso={build.published_at} time />
                </Trans>
              ),
              action: (
                <span className="waiting-look">
                  <Button
                    small
                    onClick={() => admitting.open(build)}
                    aria-label={t`Look at it: ${titleOf(build)} ${build.version}`}
                  >
                    <Trans>Look at it</Trans>
                  </Button>
                </span>
              ),
            }))}
          />
        )}
        {admitting.item && (
          <AdmitBuildDialog
            waiting={admitting.item}
            isolates={data?.isolates ?? true}
            onClose={admitting.close}
          />
        )}
      </Card>
    </>
  )
}

/** The sentence for a person who follows a link to a build that no longer waits. */
const Gone = () => (
  <Notice>
    <Trans>
      This version no longer waits. It was admitted or withdrawn, or a newer one has taken its place.
    </Trans>
  </Notice>
)
