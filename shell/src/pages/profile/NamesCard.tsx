import { Trans, useLingui } from '@lingui/react/macro'
import type { User } from '@portal/contracts/access'
import { type Profile, profile } from '@portal/contracts/access/profile'
import { accountFields } from '@portal/contracts/access/users.fields'
import { Conflict, withoutConflict } from '@portal/screens/Conflict'
import { fieldWords } from '@portal/screens/fieldWords'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { useHost } from '@portal/sdk'
import { Button, ButtonLink } from '@portal/ui/Button'
import { TextField } from '@portal/ui/TextField'
import { useState } from 'react'
import { renderLink } from '../../platform/links.tsx'
import { useSessionStore } from '../../session/session.ts'
import { FormCard } from './FormCard.tsx'

const namesOf = ({ first_name, last_name, version }: User) => ({ first_name, last_name, version })

/** The two names, which are a person's own to change. */
export function NamesCard({ user }: { user: Profile }) {
  const { t } = useLingui()
  const { client } = useHost()
  const { input, watched } = fieldWords(accountFields)
  const { first_name, last_name } = watched()
  const rename = useSessionStore((state) => state.rename)
  // The page fetches the record again; the form goes on from what it was opened with.
  const [before, setBefore] = useState(() => namesOf(user))
  const form = useEndpointForm(profile.update, {
    params: { id: user.id },
    defaults: before,
    refetches: [profile.read],
    problems: 'user',
    onDone: ({ user: saved }) => {
      rename(saved)
      setBefore(namesOf(saved))
      form.fields.reset(namesOf(saved))
    },
  })
  return (
    <FormCard
      title={t`Your name`}
      form={form}
      failure={form.problem?.kind === 'invalid' ? t`The form has errors` : withoutConflict(form).failure}
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
      <Conflict
        form={form}
        read={async () => (await client.call(profile.read, {})).user}
        fields={{ first_name, last_name, locale: null }}
      />
      <TextField control={form.control} {...input('first_name')} autoComplete="given-name" />
      <TextField control={form.control} {...input('last_name')} autoComplete="family-name" />
    </FormCard>
  )
}
