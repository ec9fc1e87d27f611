import { Trans, useLingui } from '@lingui/react/macro'
import { type Profile, profile } from '@portal/contracts/profile'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { Button, ButtonLink } from '@portal/ui/Button'
import { TextField } from '@portal/ui/TextField'
import { renderLink } from '../../frame/links.tsx'
import { useSessionStore } from '../../session/session.ts'
import { FormCard } from './FormCard.tsx'

/** The two names, which are a person's own to change. */
export function NamesCard({ user }: { user: Profile }) {
  const { t } = useLingui()
  const rename = useSessionStore((state) => state.rename)
  const { id, first_name, last_name } = user
  const form = useEndpointForm(profile.update, {
    params: { id },
    defaults: { first_name, last_name },
    refetches: [profile.read],
    onDone: ({ user: saved }) => {
      rename(saved)
      form.fields.reset({ first_name: saved.first_name, last_name: saved.last_name })
    },
  })
  return (
    <FormCard
      title={t`Your name`}
      form={form}
      failure={form.problem?.kind === 'invalid' ? t`The form has errors` : form.failure}
      actions={
        <>
          <Button type="submit" variant="primary" busy={form.busy} disabled={!form.dirty}>
            <Trans>Update Profile</Trans>
          </Button>
          <ButtonLink href="/home" renderLink={renderLink}>
            <Trans>Go back home</Trans>
          </ButtonLink>
        </>
      }
    >
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
    </FormCard>
  )
}
