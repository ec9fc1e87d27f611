import { useLingui } from '@lingui/react/macro'
import { Skeleton } from '@portal/ui/Blank'
import { useEffect, useState } from 'react'

const edge = 4

/** A text as a QR code, drawn in the browser so that the secret is not sent anywhere. Always dark on light, for cameras. */
export function QrCode({ text }: { text: string }) {
  const { t } = useLingui()
  const [cells, setCells] = useState<boolean[][] | null>(null)
  useEffect(() => {
    let gone = false
    void import('uqr').then(({ encode }) => {
      if (!gone) setCells(encode(text, { ecc: 'M', border: edge }).data)
    })
    return () => {
      gone = true
    }
  }, [text])
  if (!cells) return <Skeleton width={176} height={176} />
  const path = cells.flatMap((line, y) => line.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      className="qr"
      role="img"
      aria-label={t`QR code of the key`}
      viewBox={`0 0 ${cells.length} ${cells.length}`}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  )
}
