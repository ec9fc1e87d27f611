import { Trans } from '@lingui/react/macro'

type Props = { naming: readonly string[]; chosen: readonly string[]; onChoose: (cases: string[]) => void }

/** Which of the cases with this name are about this person: many people have the same name. */
export function CaseChoice({ naming, chosen, onChoose }: Props) {
  if (naming.length === 0) return null
  const toggle = (number: string) =>
    onChoose(chosen.includes(number) ? chosen.filter((each) => each !== number) : [...chosen, number])
  return (
    <fieldset className="stack close">
      <legend className="strong">
        <Trans>Which of these cases are about this person?</Trans>
      </legend>
      <p className="muted">
        <Trans>They name this person, or somebody of the same name. Look at them first.</Trans>
      </p>
      {naming.map((number) => (
        <label key={number} className="check">
          <input type="checkbox" checked={chosen.includes(number)} onChange={() => toggle(number)} />
          <span>{number}</span>
        </label>
      ))}
    </fieldset>
  )
}
