import { useLingui } from '@lingui/react/macro'
import type { Referral } from '@portal/contracts/cases'
import { DetailsDialog } from '@portal/screens/DetailsDialog'
import { DateText } from '@portal/ui/Money'
import { expertName, ReferralPill } from '../words.tsx'
import { SavedDocument } from './Documents.tsx'

/** One consultation to read: the question, what was shared, and the answer. */
export function ReferralDialog({ referral, onClose }: { referral: Referral; onClose: () => void }) {
  const { t } = useLingui()
  return (
    <DetailsDialog
      title={t`Consultation ${referral.number}`}
      description={`${expertName(referral)} · ${referral.profession}`}
      onClose={onClose}
      facts={[
        { key: 'status', label: t`Status`, value: <ReferralPill referral={referral} /> },
        { key: 'email', label: t`Email`, value: referral.email },
        { key: 'asked', label: t`Asked`, value: <DateText iso={referral.created_at} time /> },
        { key: 'comment', label: t`Question`, value: <span className="pre-line">{referral.comment}</span> },
        ...referral.notes.map((note, n) => ({
          key: `note-${n}`,
          label: t`Answer`,
          value: <span className="pre-line">{note.note || '–'}</span>,
          note: <DateText iso={note.created_at} time />,
        })),
      ]}
    >
      {referral.documents.map((document) => (
        <SavedDocument key={document.id} document={document} />
      ))}
    </DetailsDialog>
  )
}
