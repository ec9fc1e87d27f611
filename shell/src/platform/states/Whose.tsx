import { Trans } from '@lingui/react/macro'
import type { StateProps } from '../lazy-states.tsx'

/** Whose module it is, which version, and what to quote to them. */
export function Whose({ entry, of, reference }: StateProps['Whose']) {
  const { name, owner } = entry
  const { version } = of
  return (
    <small className="blank-note">
      <Trans>
        Module {name}, version {version}, owned by {owner.name} ({owner.contact}).
      </Trans>
      {reference && (
        <>
          {' '}
          <Trans>
            Reference <b className="mono">{reference}</b>.
          </Trans>
        </>
      )}
    </small>
  )
}
