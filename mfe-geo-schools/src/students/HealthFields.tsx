import { useLingui } from '@lingui/react/macro'
import { disabilities, type students } from '@portal/contracts/registers-students'
import type { EndpointForm } from '@portal/screens/useEndpointForm'
import { SelectField } from '@portal/ui/SelectField'
import { disabilityWords, maternalWords, severityWords, useWords } from '../words.tsx'

type Props = { control: EndpointForm<typeof students.update>['control'] }

/** Maternal status and disability, for whoever may see them. */
export function HealthFields({ control }: Props) {
  const { t, i18n } = useLingui()
  const words = useWords()
  const scale = words.choices(severityWords)
  return (
    <>
      <h3>{t`Health`}</h3>
      <div className="fields pair">
        <SelectField
          control={control}
          name="maternal_status"
          label={t`Maternal status`}
          options={words.choices(maternalWords)}
        />
        {disabilities.map((field) => (
          <SelectField
            key={field}
            control={control}
            name={field}
            label={i18n._(disabilityWords[field])}
            options={scale}
          />
        ))}
      </div>
    </>
  )
}
