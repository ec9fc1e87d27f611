import { Trans, useLingui } from '@lingui/react/macro'
import { FieldFrame } from '@portal/ui/FieldFrame'
import { Flags } from '@portal/ui/Notice'
import { useEffect } from 'react'
import './words.ts'

type Props = { agency: string; paid: boolean | undefined; onAnswer: (paid?: boolean) => void }

/** Asks what the agency answered about a round that may have been paid (Money 8.4). */
export function PaidBefore({ agency, paid, onAnswer }: Props) {
  const { t } = useLingui()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer goes with its question, and only then
  useEffect(() => () => onAnswer(), [])
  const answer = (value: boolean, label: string, text: string) => (
    <label className="check">
      <input type="radio" name="paid_before" checked={paid === value} onChange={() => onAnswer(value)} />
      <span className="strong">{label}</span>
      <small>{text}</small>
    </label>
  )
  return (
    <Flags
      framed
      flags={[
        {
          key: 'perhaps paid',
          tone: 'waiting',
          title: <Trans>This round may have been paid already</Trans>,
          text: (
            <>
              <Trans>
                Sending was held after this list was uploaded, and the portal cannot ask {agency} about it.
              </Trans>
              <FieldFrame label={t`I have asked ${agency}:`} group>
                {() => (
                  <>
                    {answer(false, t`It has not paid this round.`, t`The portal pays it now.`)}
                    {answer(
                      true,
                      t`It has paid this round.`,
                      t`Nothing is sent. Each payment counts as unknown until the agency’s statement or letter settles it.`,
                    )}
                  </>
                )}
              </FieldFrame>
            </>
          ),
        },
      ]}
    />
  )
}
