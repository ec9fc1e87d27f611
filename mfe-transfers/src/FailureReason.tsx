import { useLingui } from '@lingui/react'
import { reasonSentence } from '@portal/contracts/transfers/failure-reasons'
import { currentLocale } from '@portal/i18n/locale'

/** The agency's reason as a sentence; a reason nobody has met yet as its code. */
export function FailureReason({ reason, strong }: { reason: string; strong?: boolean }) {
  useLingui()
  const sentence = reasonSentence(reason, currentLocale())
  if (strong && sentence) return <>{sentence}</>
  return <div className={sentence ? 'small muted' : 'small muted mono'}>{sentence ?? reason}</div>
}
