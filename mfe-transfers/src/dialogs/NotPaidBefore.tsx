import { Trans } from '@lingui/react/macro'
import { Flags } from '@portal/ui/Notice'
import './words.ts'

type Props = { agency: string; confirmed: boolean; onConfirm: (confirmed: boolean) => void }

/** Asks for a person's word on a round that may have been paid before sending was held (Money 8.4). */
export function NotPaidBefore({ agency, confirmed, onConfirm }: Props) {
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
              <label className="check">
                <input
                  type="checkbox"
                  checked={confirmed}
                  onChange={(event) => onConfirm(event.target.checked)}
                />
                <span>
                  <Trans>I have asked {agency}: it has not paid this round.</Trans>
                </span>
              </label>
            </>
          ),
        },
      ]}
    />
  )
}
