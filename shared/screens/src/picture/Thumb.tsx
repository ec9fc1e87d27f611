import { useLingui } from '@lingui/react/macro'
import type { Picture } from '@portal/contracts/record-pictures'
import type { PictureCalls } from '@portal/contracts/records'
import { Dialog } from '@portal/ui/Dialog'
import { Icon } from '@portal/ui/Icon'
import { useState } from 'react'
import { problemText } from '../problemText.tsx'
import { usePicture } from './usePicture.ts'
import './words.ts'

type Props = { calls: Pick<PictureCalls, 'picture'>; picture: Picture; label: string }

/** A small picture, which a click shows large. One that could not be fetched is a button that fetches it again. */
export function Thumb({ calls, picture, label }: Props) {
  const { t } = useLingui()
  const [isOpen, setOpen] = useState(false)
  const { address, problem, retry } = usePicture({ calls, id: picture.id, size: 'small' })
  const alt = picture.alt || label
  if (problem)
    return (
      <button type="button" className="picture-thumb" onClick={retry} title={problemText(problem)}>
        <Icon name="retry" />
        <span className="hidden-visually">{t`Fetch the picture again: ${alt}`}</span>
      </button>
    )
  return (
    <>
      <button
        type="button"
        className="picture-thumb"
        aria-haspopup="dialog"
        title={t`Show the picture large`}
        onClick={() => setOpen(true)}
      >
        {address ? (
          <img src={address} alt={alt} width={56} height={56} />
        ) : (
          <span className="hidden-visually">{t`The picture is being fetched: ${alt}`}</span>
        )}
      </button>
      {isOpen && <Large {...{ calls, picture, label }} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The small picture stands there, stretched, until the large one has come. */
function Large({ calls, picture, label, onClose }: Props & { onClose: () => void }) {
  const { t } = useLingui()
  const small = usePicture({ calls, id: picture.id, size: 'small' })
  const { address, problem } = usePicture({ calls, id: picture.id, size: 'full' })
  const shown = address ?? small.address
  return (
    <Dialog wide title={label} description={picture.alt || undefined} onClose={onClose}>
      {shown && <img className="picture-large" src={shown} alt={picture.alt || label} />}
      <p role="status" className="muted">
        {problem ? problemText(problem) : address ? null : t`The large picture is being fetched…`}
      </p>
    </Dialog>
  )
}
