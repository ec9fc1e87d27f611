import { Plural } from '@lingui/react/macro'

/** What the arrears of a round are made of: what the agency refused, and what a hold withheld. */
export function Refused({ failed, withheld }: { failed: number; withheld: number }) {
  return (
    <>
      <Plural value={failed} one="# payment refused" other="# payments refused" />
      {withheld > 0 && (
        <>
          {' · '}
          <Plural value={withheld} one="# withheld" other="# withheld" />
        </>
      )}
    </>
  )
}
