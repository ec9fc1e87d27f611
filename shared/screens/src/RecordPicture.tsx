import type { Picture } from '@portal/contracts/record-pictures'
import type { PictureCalls } from '@portal/contracts/records'
import { lazy } from './lazy.tsx'

/** Brings the styles of dialogs along, which it opens. */
const Thumb = lazy(() => import('./picture/Thumb.tsx'), 'Thumb')

type Props = {
  /** The calls of the collection: `meals`. */
  calls: Pick<PictureCalls, 'picture'>
  /** The value of the field: `record.data.photo`. */
  picture: Picture | null | undefined
  /** What the field is called: the heading of the large picture, and what is read aloud of one without a description. */
  label: string
}

/** A picture of a record in a list or among facts, small; a click shows it large. Nothing for a record without one. */
export const RecordPicture = ({ picture, ...props }: Props) =>
  picture ? (
    // The row has its height before the picture comes.
    <span style={{ display: 'inline-block', width: 56, height: 56 }}>
      <Thumb {...props} picture={picture} />
    </span>
  ) : null
