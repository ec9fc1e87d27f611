import { Trans, useLingui } from '@lingui/react/macro'
import { asProblem } from '@portal/client/problem'
import { queryOf } from '@portal/client/query'
import { type Profile, profile } from '@portal/contracts/profile'
import { FormFailure } from '@portal/screens/FormDialog'
import { problemText } from '@portal/screens/problemText'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost, useQuery } from '@portal/sdk'
import { Blank } from '@portal/ui/Blank'
import { Button, ButtonLink } from '@portal/ui/Button'
import { Card } from '@portal/ui/Card'
import { PageHead } from '@portal/ui/Page'
import { StatusPill } from '@portal/ui/StatusPill'
import { TextField } from '@portal/ui/TextField'
import { renderLink } from '../frame/links.tsx'
import { PageSkeleton } from '../platform/ModuleOutlet.tsx'
import { useSessionStore } from '../session/session.ts'

/** A person's own record: the two names may be changed, the rest is an administrator's (section 6). */
export default function ProfilePage() {
  const { t } = useLingui()
  const { client } = useHost()
  const { data, error, refetch, isFetching } = useQuery(queryOf(client, profile.read))
  if (!data && !error) return <PageSkeleton />
  return (
    <>
      <PageHead
        title={t`My profile`}
        text={t`Your name as others see it, and what the portal knows of you.`}
      />
      {data ? (
        <ProfileCard user={data.user} />
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

function ProfileCard({ user }: { user: Profile }) {
  const { t } = useLingui()
  const words = useWords()
  const rename = useSessionStore((state) => state.rename)
  const form = useEndpointForm(profile.update, {
    params: { id: user.id },
    defaults: user,
    refetches: [profile.read],
    onDone: ({ user: saved }) => {
      rename(saved)
      form.fields.reset(saved)
    },
  })
  const failure = form.problem?.kind === 'invalid' ? t`The form has errors` : form.failure
  const facts = [
    {
      label: t({ message: 'Title', context: 'of a person' }),
      value: user.user_title ? words[user.user_title] : t`N/A`,
    },
    { label: t`Email`, value: user.email ?? t`N/A` },
    { label: t`Gender`, value: user.gender ? words[user.gender] : t`N/A` },
    { label: t`User type`, value: user.type ? words[user.type] : t`N/A` },
    {
      label: t`Status`,
      value: (
        <StatusPill tone={user.deactivated_at ? 'bad' : 'good'}>
          {user.deactivated_at ? <Trans>Deactivated</Trans> : <Trans>Active</Trans>}
        </StatusPill>
      ),
    },
  ]
  return (
    <div className="two">
      <Card title={t`Your name`} padded>
        <form
          className="stack"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            form.submit()
          }}
        >
          <FormFailure form={{ ...form, failure }} />
          <TextField
            control={form.control}
            name="first_name"
            label={t`First name`}
            autoComplete="given-name"
            required
          />
          <TextField
            control={form.control}
            name="last_name"
            label={t`Last name`}
            autoComplete="family-name"
            required
          />
          <div className="actions">
            <Button type="submit" variant="primary" busy={form.busy} disabled={!form.dirty}>
              <Trans>Update Profile</Trans>
            </Button>
            <ButtonLink href="/home" renderLink={renderLink}>
              <Trans>Go back home</Trans>
            </ButtonLink>
          </div>
        </form>
      </Card>
      <Card title={t`Kept by the administrators`} className="sheet-list-card">
        <dl className="sheet-list">
          {facts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </div>
  )
}

function useWords(): Record<string, string> {
  const { t } = useLingui()
  return {
    mr: t`Mr`,
    mrs: t`Mrs`,
    miss: t`Miss`,
    prof: t`Prof.`,
    dr: t`Dr`,
    male: t`Male`,
    female: t`Female`,
    teacher: t`Teacher`,
    student: t`Student`,
    partner: t`Partner`,
    developer: t`Developer`,
  }
}
