import { Trans, useLingui } from '@lingui/react/macro'
import { type Profile, profile } from '@portal/contracts/profile'
import { currentLocale } from '@portal/i18n/locale'
import { useEndpointForm } from '@portal/screens/useEndpointForm'
import { Button } from '@portal/ui/Button'
import { SelectField } from '@portal/ui/SelectField'
import { useEffect } from 'react'
import { setLocale } from '../../language.ts'
import { useSessionStore } from '../../session/session.ts'
import { FormCard } from './FormCard.tsx'

/** Language and number form, kept with the person and not with the browser (Languages 2.2). */
export function PreferencesCard({ user }: { user: Profile }) {
  const { t } = useLingui()
  const prefer = useSessionStore((state) => state.prefer)
  const { id, first_name, last_name, number_form, version } = user
  const form = useEndpointForm(profile.update, {
    params: { id },
    defaults: { first_name, last_name, locale: user.locale ?? currentLocale(), number_form, version },
    refetches: [profile.read],
    problems: 'user',
    onDone: () => {
      const { locale, number_form: form_of_numbers } = form.fields.getValues()
      prefer({ locale: locale ?? currentLocale(), number_form: form_of_numbers ?? number_form })
      void setLocale(locale ?? currentLocale())
    },
  })
  // After a 409 the record is fetched again: whoever then saves has seen what it says now.
  const { setValue } = form.fields
  useEffect(() => setValue('version', version), [version, setValue])
  return (
    <FormCard
      title={t`Language and numbers`}
      form={form}
      actions={
        <Button type="submit" busy={form.busy} disabled={!form.dirty}>
          <Trans>Save</Trans>
        </Button>
      }
    >
      <SelectField
        control={form.control}
        name="locale"
        label={t`Language`}
        help={t`Of the portal and of the messages it sends you.`}
        placeholder={false}
        options={[
          { value: 'en', label: 'English' },
          { value: 'fr', label: 'Français' },
        ]}
      />
      <SelectField
        control={form.control}
        name="number_form"
        label={t`Amounts`}
        help={t`How ten thousand five hundred francs are written.`}
        placeholder={false}
        options={[
          { value: 'language', label: t`As the language writes them` },
          { value: 'en-2', label: '10,500.00' },
          { value: 'fr-0', label: '10\u202f500' },
        ]}
      />
    </FormCard>
  )
}
